"""From shapes to fields: octrees grown with a proof, renewed, and combined."""
