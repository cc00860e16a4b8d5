"""What is counted: records of games, hands and wins, and a metric for each statistic."""
