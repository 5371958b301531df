import { serverVerbs } from '@toolgate/server/domains/servers/verbs'
import { hasSandbox } from '@toolgate/server/engines/mcp/transport/sandbox'
import { downloadsFirst } from '@toolgate/server/engines/mcp/transport/server-address'
import { listServerAccounts } from '@toolgate/server/toolset/servers/accounts/verbs'
import { type Concerns, readConcerns } from '@toolgate/server/toolset/servers/concerns'
import { type ReviewedTool, reviewTools } from '@toolgate/server/toolset/servers/review'
import { localTools } from '@toolgate/server/toolset/tools/installed-tools'
import { resourcePage } from '@/app/(console)/(admin)/resource-page'
import type { OwnFacts } from '@/components/resource/resource-page'
import { VisibleText } from '@/components/trace/visible-text'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Section } from '@/components/ui/section'
import { SideIndex } from '@/components/ui/side-index'
import { type ServerDetail, servers } from '@/lib/domains/servers/shape'
import { ServerActions } from '../server-form'
import { ReachedState } from '../server-state'
import { CheckServer } from './check-server'
import { definitionChanges } from './definition-changes'
import { ReviewTools } from './review-tools'
import { ServerAccounts } from './server-accounts'
import { AllowedBy } from './tool-concerns'
import type { ShownTool } from './tool-review'

const { page, generateMetadata } = resourcePage(
  servers,
  serverVerbs,
  async ({ ctx, object: server, choices, searchParams }) => {
    const [tools, concerns, local, accounts] = await Promise.all([
      reviewTools(ctx, { id: server.id }),
      readConcerns(ctx, { id: server.id }),
      localTools(),
      listServerAccounts(ctx, { id: server.id }),
    ])
    const taken = new Set(local.map(({ name }) => name))
    const { problems, trouble, downSince, checkedAt, protocol } = server
    return {
      actions: (
        <>
          <CheckServer
            id={server.id}
            isNew={checkedAt === null}
            downloads={downloadsFirst(server.command?.split(' ') ?? [])}
          />
          <ServerActions object={server} choices={choices} />
        </>
      ),
      facts: await factsOf(server),
      index: <SideIndex />,
      children: (
        <>
          {downSince !== null && (
            <ErrorNotice title="The server cannot be reached. Calls of its tools fail">
              {trouble}
            </ErrorNotice>
          )}
          {problems.length > 0 && (
            <Section title="Problems of its definitions">
              <ul className="list-disc pl-5">
                {problems.map((problem) => (
                  <li key={problem} className="[overflow-wrap:anywhere]">
                    <VisibleText text={problem} />
                  </li>
                ))}
              </ul>
            </Section>
          )}
          {server.account !== 'none' && (
            <ServerAccounts server={server} accounts={accounts} outcome={searchParams.connect} />
          )}
          <Section id="tools" title="Tools">
            {tools.length > 0 && <AllowedBy configurations={concerns.configurations} />}
            <ReviewTools
              serverId={server.id}
              isAsked={protocol !== ''}
              tools={shown(tools, concerns, taken)}
            />
          </Section>
        </>
      ),
    }
  },
)

export { generateMetadata }
export default page

const states = ['changed', 'new', 'accepted', 'gone'] as const satisfies ReviewedTool['state'][]

/**
 * Returns tools with the difference between what was accepted and what the server defines now, and what they concern; what
 * waits comes first. `taken`: the names of tools that are installed here.
 */
function shown(
  tools: readonly ReviewedTool[],
  { tools: ofTools }: Concerns,
  taken: ReadonlySet<string>,
): ShownTool[] {
  const byName = new Map(ofTools.map((each) => [each.name, each]))
  const inOrder = states.flatMap((each) => tools.filter(({ state }) => state === each))
  return inOrder.map((tool) => {
    const { seen, accepted, state } = tool
    const changes = state === 'changed' && accepted ? definitionChanges(accepted, seen) : []
    const { configurations = [], skills = [], rules = [] } = byName.get(tool.name) ?? {}
    const isAliasTaken = tool.alias !== null && taken.has(tool.alias)
    const concerns = { configurations, skills, rules }
    return { ...tool, isAliasTaken, definition: JSON.stringify(seen, null, 2), changes, concerns }
  })
}

const sandboxed = 'bubblewrap'
const notSandboxed = 'None (bubblewrap is missing): it can read Toolgate’s keys'

/** Returns what is shown beside the fields of the server. */
async function factsOf(server: ServerDetail): Promise<OwnFacts> {
  const { kind, saidName, saidVersion, protocol, headerNames, variableNames } = server
  const text = (words: string) => (words === '' ? null : <VisibleText text={words} />)
  return {
    headers: text(headerNames.join(', ')),
    variables: text(variableNames.join(', ')),
    ...(saidName && { 'Reported name': text(`${saidName} ${saidVersion}`) }),
    ...(protocol && { Protocol: text(protocol) }),
    Reached: <ReachedState server={server} />,
    ...(kind === 'stdio' && { Sandbox: text((await hasSandbox()) ? sandboxed : notSandboxed) }),
  }
}
