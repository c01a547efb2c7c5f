"""Alembic migrations; they ship in the wheel."""
