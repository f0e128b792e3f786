#!/usr/bin/python3
"""Serves a video as a network camera does, over RTSP on a free loopback port, until it is killed.

usage: rtsp_server.py VIDEO       (MP4 with H.264; prints its process number and its address)
"""
import os
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtspServer  # noqa: E402

Gst.init(None)
server = GstRtspServer.RTSPServer(address="127.0.0.1", service="0")
factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch(f'( filesrc location="{sys.argv[1]}" ! qtdemux ! rtph264pay name=pay0 config-interval=1 )')
server.get_mount_points().add_factory("/table", factory)
server.attach(None)
print(os.getpid(), f"rtsp://127.0.0.1:{server.get_bound_port()}/table", flush=True)
GLib.MainLoop().run()
