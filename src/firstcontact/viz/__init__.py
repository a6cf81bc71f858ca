"""Pictures: pages to look around in, and figures for papers."""
