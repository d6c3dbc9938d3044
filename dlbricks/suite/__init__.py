"""Writing and reading suite folders, rendering templates."""
