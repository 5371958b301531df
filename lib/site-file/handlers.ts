import { configurationHandler } from './configuration-handler'
import { connectionHandler } from './connection-handler'
import type { Handler } from './handler'
import { modelHandler } from './model-handler'
import type { Kind } from './site-file'
import { skillHandler } from './skill-handler'
import { taskHandler } from './task-handler'
import { toolGroupHandler } from './tool-group-handler'
import { toolHandler } from './tool-handler'

/** One handler a kind. */
export const handlers: { [K in Kind]: Handler<K> } = {
  connections: connectionHandler,
  models: modelHandler,
  skills: skillHandler,
  configurations: configurationHandler,
  tasks: taskHandler,
  tools: toolHandler,
  toolGroups: toolGroupHandler,
}
