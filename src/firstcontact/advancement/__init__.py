"""What every search along time shares: what is asked, what is looked for, steps, where it arrives."""
