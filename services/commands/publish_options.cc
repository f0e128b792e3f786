#include "services/commands/publish_options.h"

namespace tilewarden::services {

void AddPublishOptions(Command command, EngineServer::Options* engine) {
  MqttOptions* mqtt = &engine->mqtt;
  command.Add("--mqtt", &mqtt->url,
              "Show the tables at this MQTT broker, for smart homes: "
              "mqtt://USER@BROKER:1883, mqtts:// with TLS");
  command.Add("--mqtt-password", &mqtt->password,
              "Of the user there, or @FILE with it; better in the environment than after a flag");
  command.Add("--mqtt-authority", &mqtt->authority,
              "PEM file that the broker's certificate is checked with; else the system's");
  command.Add("--mqtt-prefix", &mqtt->prefix, "Beginning of all its topics").ShowDefault();
  command
      .Add("--mqtt-discovery", &mqtt->discovery,
           "Where Home Assistant looks for devices; empty: it is not told")
      .ShowDefault();
  command.Add("--mqtt-client", &mqtt->client,
              "This service's name at the broker; else tilewarden-MACHINE");
  WebhookOptions* webhook = &engine->webhook;
  command.Add("--webhook", &webhook->url,
              "Post every event to this address, http or https, signed");
  command.Add("--webhook-secret", &webhook->secret,
              "That the receiver checks the signature with, or @FILE with it");
  command.Add("--webhook-authority", &webhook->authority,
              "PEM file that the receiver's certificate is checked with; else the system's");
}

void AddRoomOptions(Command command, EngineServer::Options* engine) {
  command
      .Add(
          "--keep-clips", &engine->clip_days,
          "Days for which a clip of each disputed turn is kept: the camera's two pictures and what "
          "was said, in the folder clips, for the page alone; 0: none")
      .Between(0, 3650)
      .ShowDefault();
  command
      .Add("--backups", &engine->backups,
           "Copies of all games to keep: one is made each day, in the folder backups; 0: none")
      .Between(0, 1000)
      .ShowDefault();
  command
      .Add("--quota", &engine->quota_mb,
           "Megabytes that the data folder may take: the page warns before, and no game begins "
           "after; those that have begun go on; 0: no limit but the disk's")
      .Between(0, 1'000'000)
      .ShowDefault();
}

}  // namespace tilewarden::services
