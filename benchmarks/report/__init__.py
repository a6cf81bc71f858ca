"""What runs the benchmarks, and what they share: sections, tables, pictures, processes of their own."""
