"""Contacts of deforming meshes."""
