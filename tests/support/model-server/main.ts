import { parseArgs } from 'node:util'
import { turnOfPrompt } from './prompt-directives'
import { startModelServer } from './start-model-server'

/** The model server as a process: queued turns (`POST /__script`) first, then what the prompt itself says. */
const { values } = parseArgs({
  options: {
    port: { type: 'string' },
    key: { type: 'string' },
    'no-record': { type: 'boolean', default: false },
  },
})
const server = await startModelServer({
  port: Number(values.port ?? 0),
  script: turnOfPrompt,
  record: !values['no-record'],
  ...(values.key === undefined ? {} : { apiKey: values.key }),
})
console.log(`Model server listening on ${server.url}`)

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void server.close().then(() => process.exit(0)))
}
