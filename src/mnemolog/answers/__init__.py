"""What reads answer: excerpts that fit, pages, what a search found, what is worth recalling."""
