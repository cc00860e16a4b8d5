"""Read, replay, verify, review and count mahjong games."""
