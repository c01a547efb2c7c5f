"""The local Qdrant: the part of its REST API that we use, served from files of the data folder."""
