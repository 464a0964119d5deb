"""GraphModel: embed, encodings, backbone, head; its configuration and its folder."""
