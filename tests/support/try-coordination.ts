import { expect } from 'vitest'
import { GET } from '@/app/api/health/route'
import { foldRun } from '@/lib/protocol/run/fold-run'
import type { RunEvent } from '@/lib/protocol/run/run-event'
import type { PanelSummary } from '@/lib/runs/panels/panel-schemas'
import type { Stage } from './document-stage'
import { shellCommands } from './shell-words'
import { toolgate } from './toolgate-process'
import { sends, startWebServer } from './web-server'

const documented = 'http://localhost:3000'

/** Serves the page that the coordination reads, as an installation does. */
export async function serveHealth({ variables, closing }: Stage): Promise<void> {
  const page = sends(await GET().text(), { 'content-type': 'application/json' })
  const server = await startWebServer({ '/api/health': page })
  variables.set('SERVED', server.origin)
  closing.push(server.close)
}

/** Returns what runs the commands, and looks who called what in the coordination among them. */
export function coordinationWith(verdict: 'accept' | 'revise') {
  return async (text: string, { variables }: Stage): Promise<void> => {
    const served = String(variables.get('SERVED'))
    let printed = ''
    for (const { words } of shellCommands(text.replaceAll(documented, served), variables)) {
      const finished = await toolgate(words.slice(1))
      expect(finished, words.join(' ')).toMatchObject({ code: 0, stderr: '' })
      if (words[1] === 'coordinate') printed = finished.stdout
    }
    variables.set('PRINTED', printed.replaceAll(served, documented))
    await expectRoles(/^Panel (\S+)$/m.exec(printed)?.[1] ?? '', verdict)
  }
}

async function expectRoles(panelId: string, verdict: string): Promise<void> {
  const panel = await jsonOf<PanelSummary>('panel', 'show', panelId)
  const roles = panel.members.map(async ({ role, run }) => ({
    role,
    calls: await callsOf(run?.runId ?? ''),
    tools: run?.tools.accepted,
    envelope: run?.envelope,
  }))
  const both = ['fetch_url', 'verify']
  const answer = expect.stringContaining('"status": "ok"')
  const envelope = (part: object) => expect.objectContaining(part)
  expect(await Promise.all(roles)).toEqual([
    { role: 'proposer', calls: ['fetch_url'], tools: both, envelope: envelope({ answer }) },
    { role: 'critic', calls: both, tools: both, envelope: envelope({ verdict }) },
    { role: 'synthesizer', calls: [], tools: [], envelope: envelope({ answer }) },
  ])
}

/** Returns the tools that a run called, in order, each with what is wrong when it was not answered. */
async function callsOf(runId: string): Promise<string[]> {
  const { events } = await jsonOf<{ events: RunEvent[] }>('run', 'show', runId)
  const calls = foldRun(events).rounds.flatMap((round) => round.calls)
  return calls.map(({ name, state }) =>
    state.type === 'ended' && state.outcome.type === 'ok' ? name : `${name} failed`,
  )
}

async function jsonOf<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await toolgate([...args, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout)
}

/** Compares what is shown with what the commands before it printed: "…" stands for any text, or for any lines. */
export async function expectPrinted(text: string, { variables }: Stage): Promise<void> {
  const literal = (part: string) => part.replace(/[^\w\s]/g, '\\$&')
  const lines = text.trimEnd().split('\n')
  const shown = lines.map((line) =>
    line === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(literal).join('.+')}\\n`,
  )
  expect(variables.get('PRINTED')).toMatch(new RegExp(`^${shown.join('')}$`))
}
