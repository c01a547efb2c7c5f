"""The database, which is the truth; everything else can be built from it anew."""
