"""Games, hands and events as small objects, made on demand from columns."""
