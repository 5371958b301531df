// The types of the parts of undici that are imported by their files, which it ships for the whole package only.
declare module 'undici/lib/dispatcher/agent.js' {
  import type { Agent } from 'undici'

  /** Methods of an agent before the whole package is loaded, which adds `request` and others. */
  interface AgentPart
    extends Omit<Agent, 'connect' | 'pipeline' | 'request' | 'stream' | 'upgrade'> {}
  const AgentPart: new (options?: Agent.Options) => AgentPart
  export default AgentPart
}

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici'
  export default buildConnector
}
