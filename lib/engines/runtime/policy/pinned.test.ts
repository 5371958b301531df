import { expect, test } from 'vitest'
import type { RemoteState } from '@/lib/domains/servers/shared/remote-state'
import { openSubject, testTool } from '@/tests/support/run-fixture'
import { decideTool } from './decide-tool'

const remoteTool = testTool('files__read', { server: 'files', pin: 'p' })

/** Returns what is stored about the tool: what the run began with, but for these facts. */
function remote(facts: Partial<RemoteState>): Map<string, RemoteState> {
  const state = { pin: 'p', held: null, isGone: false, isServerOn: true, ...facts }
  return new Map([['files__read', state]])
}

test('a tool of a server that is as it was accepted is allowed', () => {
  expect(decideTool(remoteTool, { ...openSubject, remote: remote({}) })).toEqual({ allowed: true })
})

test.each([
  ['registered', remoteTool, {}, 'The server files does not offer it any more.'],
  ['registered', remoteTool, { remote: remote({ isGone: true }) }, 'does not offer it any more'],
  ['registered', remoteTool, { remote: remote({ isServerOn: false }) }, 'files is switched off'],
  [
    'registered',
    { ...remoteTool, notLoaded: 'A pattern looks behind.' },
    { remote: remote({}) },
    'Its schemas cannot be checked',
  ],
  ['pinned', remoteTool, { remote: remote({ held: 'new' }) }, 'Nobody accepted it yet'],
  ['pinned', remoteTool, { remote: remote({ held: 'changed' }) }, 'changed the definition'],
  ['pinned', remoteTool, { remote: remote({ held: 'unusable' }) }, 'The server has to mend it'],
  ['pinned', remoteTool, { remote: remote({ pin: 'q' }) }, 'changed this tool after the run began'],
] as const)('%s denies and says why', (gate, input, subject, words) => {
  const verdict = decideTool(input, { ...openSubject, ...subject })
  expect(verdict).toMatchObject({ allowed: false, gate })
  expect(verdict).toHaveProperty('reason', expect.stringContaining(words))
})
