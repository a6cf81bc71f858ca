"""Images: the nearest site of every pixel or voxel, and what is seen in front of what."""
