"""Workers on other machines, by Dask: connected to, looked over, and used as an executor."""
