import { connect } from '@/lib/engines/mcp/connection'

// Connects to the program of its arguments, says so, and stays.
const address = {
  type: 'stdio' as const,
  command: process.argv.slice(2),
  environment: {},
  hiddenFolders: [],
}
await connect(address, { era: null })
process.stdout.write('connected\n')
setInterval(() => undefined, 1_000)
