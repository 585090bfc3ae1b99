"""What a memory is made of: described from declarations, versioned, published, and in use."""
