import { connectionHost } from '../protocol/secrets-host'
import type { GivenOf, SiteFile, SiteState, WrittenFile } from './site-file'

type Connection = GivenOf<'connections'>

/**
 * A file of version 1 in the words of today: there, the API type `openai` was Chat Completions, which an address that is
 * not OpenAI's own still speaks. `notices` say what was read otherwise than it is written.
 */
export function asMeant(
  file: WrittenFile,
  state: Pick<SiteState, 'connections'>,
): { file: SiteFile; notices: string[] } {
  if (file.version !== 1) return { file, notices: [] }
  const notices: string[] = []
  const connections = file.connections.map((given): Connection => {
    const { name, wire, baseUrl = state.connections.get(name)?.baseUrl ?? null } = given
    if (wire !== 'openai' || isOpenAi(baseUrl)) return given
    notices.push(
      `The connection ${name} is read as openai-compatible (Chat Completions): in files of version 1, openai at an address other than api.openai.com means that. In files of version 2, openai means Responses.`,
    )
    return { ...given, wire: 'openai-compatible' }
  })
  return { file: { ...file, connections }, notices }
}

function isOpenAi(baseUrl: string | null): boolean {
  return connectionHost({ wire: 'openai', baseUrl, settings: {} }) === 'api.openai.com'
}
