"""What `paifu score` answers, as plain data (the JSON contract) and as lines for people."""
