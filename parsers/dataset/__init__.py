"""Datasets: folders of Parquet files that hold the replay model."""
