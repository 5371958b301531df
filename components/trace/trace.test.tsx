import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { renderToString } from 'react-dom/server'
import { describe, expect, it, test } from 'vitest'
import type { RunPiece } from '@/lib/protocol/run/run-delta'
import type { RunEventBody } from '@/lib/protocol/run/run-event'
import type { Outcome, Role } from '@/lib/protocol/tool'
import { resultSize, utf8Bytes } from '@/lib/words/format'
import {
  call,
  callEnd,
  end,
  message,
  ok,
  roundStart,
  runId,
  start,
  stateOf,
} from '@/tests/support/trace-events'
import { ReaderRoleProvider } from './reader-role'
import { Trace } from './trace'

function show(...bodies: (RunEventBody | RunPiece)[]) {
  return showTo('admin', ...bodies)
}

function showTo(role: Role, ...bodies: (RunEventBody | RunPiece)[]) {
  return render(
    <ReaderRoleProvider value={role}>
      <Trace runId={runId} state={stateOf(start, ...bodies)} />
    </ReaderRoleProvider>,
  )
}

async function openCard(name: string) {
  const card = screen.getByRole('button', { name: new RegExp(`^${name}`), expanded: false })
  await userEvent.click(card)
  return within(screen.getByRole('article'))
}

describe('Trace', () => {
  it('shows prompt, offer, rounds with their figures, and the end in words', () => {
    show(roundStart(1), message(1, { text: 'All **quiet**.' }), end)
    expect(screen.getByText('Look at the logs')).toBeVisible()
    expect(screen.getByText('1 tool for this run, 1 not offered')).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Round 1' })).toBeVisible()
    expect(screen.getByText('model-1 (Loopback)')).toBeVisible()
    expect(screen.getByText('$0.000312')).toBeVisible()
    expect(screen.getByText('first token 300 ms')).toBeVisible()
    expect(screen.getByText('quiet').tagName).toBe('STRONG')
    const strip = within(screen.getByRole('region', { name: 'How the run ended' }))
    expect(strip.getByText('Round limit')).toBeVisible()
    expect(strip.getByText('Truncated')).toBeVisible()
  })

  it('does not repeat a prompt that is the title of the page; a longer one is shown whole', () => {
    const { rerender } = render(
      <Trace runId={runId} title="Look at the logs" state={stateOf(start)} />,
    )
    expect(screen.queryByRole('region', { name: 'Prompt' })).toBeNull()
    rerender(<Trace runId={runId} title="Look at…" state={stateOf(start)} />)
    expect(screen.getByRole('region', { name: 'Prompt' })).toHaveTextContent('Look at the logs')
  })

  it('shows a call from its first arguments to its result', async () => {
    const request = [roundStart(1)]
    const delta = (text: string): RunPiece => ({
      type: 'call-delta',
      data: { round: 1, index: 0, name: 'fetch_logs', argumentsText: text },
    })
    const { rerender } = show(...request, delta('{"lim'), delta('it":2'))
    expect(screen.getByText('Arguments…')).toBeVisible()
    expect(screen.getByText('{"limit":2')).toBeVisible()
    const message1 = message(1, {
      finishReason: 'tool-calls',
      toolCalls: [call('fetch_logs', '{"limit":2}')],
    })
    const running: RunEventBody = {
      type: 'call-start',
      data: { round: 1, callId: 'call-fetch_logs', name: 'fetch_logs', effect: 'read', attempt: 1 },
    }
    const next = (...more: RunEventBody[]) =>
      rerender(<Trace runId={runId} state={stateOf(start, ...request, message1, ...more)} />)
    next()
    expect(screen.getByText('Queued')).toBeVisible()
    next(running)
    expect(screen.getByText('Running')).toBeVisible()
    next(running, callEnd('fetch_logs', ok('{"entries":[]}')))
    expect(screen.getByText('Done')).toBeVisible()
    const card = await openCard('fetch_logs')
    expect(
      card.getByText(/^Allowed: installed, site not frozen, group on, switched on/),
    ).toBeVisible()
    expect(card.getByRole('button', { name: 'Formatted' })).toHaveAttribute('aria-pressed', 'true')
  })

  it('measures a result and all of it alike, as its export does: not the layout of its view', async () => {
    const entries = Array.from({ length: 20 }, (_, at) => ({ at, text: 'é' }))
    show(
      roundStart(1),
      message(1, { toolCalls: [call('fetch_logs')] }),
      callEnd('fetch_logs', ok(JSON.stringify({ entries }))),
    )
    const card = await openCard('fetch_logs')
    const sizes = () => [
      card.getByText(/^Result \(/).textContent?.match(/\((.*)\)/)?.[1],
      card.getAllByRole('button', { name: /^Show all/ })[0]?.textContent?.match(/\((.*)\)/)?.[1],
    ]
    const [title, all] = sizes()
    expect(title).toBe(resultSize(utf8Bytes(JSON.stringify({ entries }))))
    expect(all).toBe(title)
  })

  it('names the gate that denied a call, what was asked before it, and where to change it', async () => {
    show(
      roundStart(1),
      message(1, { toolCalls: [call('get_env')] }),
      callEnd('get_env', { type: 'denied', gate: 'enabled', reason: 'Switched off by Ana.' }),
    )
    expect(screen.getByText('Denied')).toBeVisible()
    expect(screen.getByText('Denied: switched off for this site (Tools)')).toBeVisible()
    const card = await openCard('get_env')
    expect(card.getByText('Passed: installed, site not frozen, group on.')).toBeVisible()
    expect(card.getByText(/^Gates not asked: role, /)).toBeVisible()
    expect(card.getByText('Switched off by Ana.')).toBeVisible()
    expect(card.getByRole('link')).toHaveAttribute('href', '/tools?search=get_env')
  })

  it.each<[Outcome, string]>([
    [{ type: 'failed', code: 'not-found', message: 'No such asset.', incidentId: null }, 'Failed'],
    [{ type: 'invalid-arguments', issues: ['limit: too big'] }, 'Failed'],
    [{ type: 'timed-out', timeoutMs: 30_000 }, 'Timed out'],
    [{ type: 'cancelled', reason: 'The run was stopped.' }, 'Cancelled'],
    [{ type: 'unknown', reason: 'The server stopped in the middle.' }, 'Unknown outcome'],
  ])('says how a call ended: %o', (outcome, word) => {
    show(roundStart(1), message(1, { toolCalls: [call('a')] }), callEnd('a', outcome))
    expect(screen.getByText(word)).toBeVisible()
  })

  it('says what never ran when the run is over', () => {
    show(roundStart(1), message(1, { toolCalls: [call('a')], finishReason: 'length' }), end)
    expect(screen.getByText('Not run')).toBeVisible()
  })

  it('names the final answer that a limit asked for, and an answer that was cut off without tools', () => {
    const closing: RunEventBody = {
      type: 'round-start',
      data: { round: 2, closing: true, target: 0, offered: [], contextTokens: 100 },
    }
    const { unmount } = show(roundStart(1), message(1, {}), closing, message(2, {}), end)
    expect(screen.getByRole('heading', { name: 'Final answer (round 2)' })).toBeVisible()
    unmount()
    const cut: RunEventBody = {
      type: 'run-end',
      data: { ...end.data, reason: 'length', truncated: false },
    }
    const without = { ...start, data: { ...start.data, accepted: [], rejected: [] } }
    const half = message(1, { text: 'Half an answer', finishReason: 'length' })
    render(<Trace runId={runId} state={stateOf(without, roundStart(1), half, cut)} />)
    expect(screen.getByText('Half an answer')).toBeVisible()
    expect(screen.getByText('Cut off')).toBeVisible()
    expect(screen.getByText('No tools for this run')).toBeVisible()
  })

  it('keeps hostile text inert, wherever it comes from', async () => {
    const hostile =
      '<script>window.pwned=1</script><img src=x onerror="window.pwned=2">\u202eexe.gpj\u001b[31m'
    const { container } = show(
      roundStart(1),
      message(1, {
        text: `${hostile}\n\n[link](javascript:alert(1)) [in](/tools) ![p](http://evil.example/p.png) [ok](https://example.org/a)\n\n<iframe src="//evil.example"></iframe>\n\n\`\`\`x&#32;fixed\ncode\n\`\`\``,
        reasoning: [{ text: hostile, signature: null, redacted: false }],
        toolCalls: [call(hostile, JSON.stringify({ [hostile]: hostile }))],
      }),
      callEnd(hostile, ok(hostile, { flags: [hostile] })),
      {
        type: 'warning',
        data: { round: 1, code: 'loop', message: hostile, tellModel: true, prunedThrough: null },
      },
    )
    await userEvent.click(screen.getByRole('button', { expanded: false }))
    expect(container.querySelectorAll('script, img, iframe, [onerror], .fixed')).toHaveLength(0)
    expect(container.textContent).not.toContain('\u202e')
    expect(container.textContent).not.toContain('\u001b')
    expect(container.textContent).toContain('U+202E')
    const addresses = [...container.querySelectorAll('a')].map((link) => link.getAttribute('href'))
    expect(addresses).toEqual(['https://example.org/a'])
    const link = screen.getByRole('link', { name: 'ok (https://example.org/a)' })
    expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow')
    expect(container.textContent).toContain('link (javascript:alert(1))')
    expect(container.textContent).toContain('[image: p (http://evil.example/p.png)]')
  })

  it('shows a text that nests too deep as it is', () => {
    show(roundStart(1), message(1, { text: `${'> '.repeat(5_000)}deep` }))
    expect(screen.getByText(/> > > .*deep/)).toBeVisible()
  })

  it('folds a long result and shows all of it on demand', async () => {
    const content = Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n')
    show(roundStart(1), message(1, { toolCalls: [call('a')] }), callEnd('a', ok(content)))
    const card = await openCard('a')
    expect(card.getByText(/^line 0/).textContent?.split('\n')).toHaveLength(12)
    await userEvent.click(card.getByRole('button', { name: /^Show all \(/, expanded: false }))
    expect(card.getByRole('region', { name: 'Raw result' }).textContent).toContain('line 499')
  })

  it('shows what the model saw: wrapped, and whether it was sent', async () => {
    show(
      roundStart(1),
      message(1, { toolCalls: [call('a')] }),
      callEnd('a', ok('42')),
      roundStart(2),
      message(2, { text: 'It is 42.' }),
    )
    const card = await openCard('a')
    await userEvent.click(card.getByText('What the model saw'))
    const sent = /<untrusted-n0nce tool="a">\s*\[marker canary-0: .*\]\s*42\s*<\/untrusted-n0nce>/
    expect(card.getByText(sent)).toBeVisible()
    expect(card.queryByText(/Not sent|Will be sent/)).toBeNull()
  })

  it('shows the suspicious phrases of a result, with how often each was found', async () => {
    const flags = ['ignore-instructions', 'role-change', 'ignore-instructions', 'of-tomorrow']
    show(roundStart(1), message(1, { toolCalls: [call('a')] }), callEnd('a', ok('x', { flags })))
    const line =
      'Suspicious phrases: the result asks to ignore instructions (2 times), gives another role, of-tomorrow.'
    expect(screen.getByText(line)).toBeVisible()
    const card = await openCard('a')
    const listed = within(card.getByRole('list', { name: 'Suspicious phrases' }))
    expect(listed.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'asks to ignore instructions×2',
      'gives another role',
      'of-tomorrow',
    ])
  })

  it('shows that a model wrote the canary, and what became of its call', async () => {
    const reason = 'Its arguments carried the marker.'
    show(
      roundStart(1),
      message(1, { toolCalls: [call('a', '{"redacted":"[redacted: canary]"}')] }),
      {
        type: 'warning',
        data: {
          round: 1,
          code: 'canary',
          message: 'The model wrote the marker.',
          tellModel: false,
          prunedThrough: null,
        },
      },
      callEnd('a', { type: 'denied', gate: 'canary', reason }),
    )
    const note = screen.getByText('The model wrote the marker.').closest('p')
    expect(note).toHaveClass('text-error')
    expect(screen.getByText('Denied: its arguments contain the canary')).toBeVisible()
    const card = await openCard('a')
    expect(card.getByText('[redacted: canary]')).toBeVisible()
    expect(card.getByText(reason, { exact: false })).toBeVisible()
  })

  it('explains a provider failure by category, status, advice and incident', () => {
    show(roundStart(1), {
      type: 'run-end',
      data: {
        ...end.data,
        reason: 'provider-error',
        failure: {
          category: 'auth',
          status: 401,
          advice:
            'The provider refused the key. `npx toolgate key set --connection NAME` stores a new one, and so does its page under Connections.',
          incidentId: 'inc-1',
          retryAfterMs: null,
        },
      },
    } as RunEventBody)
    const alert = screen.getByRole('alert')
    expect(alert).toHaveTextContent('The provider refused the key (HTTP 401)')
    // Older journals name commands; pages do not.
    expect(alert).toHaveTextContent('The provider refused the key. Store a new key')
    expect(alert).not.toHaveTextContent('npx')
    expect(alert).toHaveTextContent('Incident inc-1')
    const fix = screen.getByRole('link', { name: 'Check the key of Loopback' })
    expect(fix).toHaveAttribute('href', '/connections/connection-1#key')
  })

  it('tells a member whom to ask, without a link to a page that is closed to them', () => {
    const refused = { ...end.data, reason: 'budget', truncated: false } as const
    showTo('member', { type: 'run-end', data: refused })
    expect(screen.getByText(/Ask an admin to raise the budget/)).toBeVisible()
    expect(screen.queryByRole('link', { name: /budget/ })).toBeNull()
  })

  it('leads an admin to the price that a budget or a cost cap misses', () => {
    for (const reason of ['no-price', 'cost-cap'] as const) {
      const data = { ...end.data, reason, truncated: false, notStarted: true }
      const { unmount } = showTo('admin', { type: 'run-end', data })
      const add = screen.getByRole('link', { name: /^Add price/ })
      expect(add).toHaveAttribute('href', '/models/model-record-1?add=price')
      unmount()
    }
  })

  it('tells a member that a price is missing, never that a budget is too small', () => {
    const data = { ...end.data, reason: 'no-price', truncated: false, notStarted: true } as const
    showTo('member', { type: 'run-end', data })
    expect(screen.getByText('Not started: no price')).toBeVisible()
    expect(screen.getByText(/Ask an admin to add a price for/)).toBeVisible()
    expect(screen.queryByText(/raise the budget/)).toBeNull()
  })
})

/** Opens the call of a run that returned this text. */
async function openResult(text: string) {
  const answer = message(1, { finishReason: 'tool-calls', toolCalls: [call('page', '{}')] })
  render(
    <Trace
      runId={runId}
      state={stateOf(start, roundStart(1), answer, callEnd('page', ok(text)))}
    />,
  )
  await userEvent.click(screen.getByRole('button', { name: /^page/, expanded: false }))
  return within(screen.getByRole('article'))
}

test('HTML is text until somebody asks for the page, which is drawn in a frame that can do nothing', async () => {
  const card = await openResult('<!doctype html><p onclick="x()">Hello</p>')
  expect(card.queryByTitle('The result as a page')).toBeNull()
  await userEvent.click(card.getByRole('button', { name: 'As a page' }))
  const frame = card.getByTitle('The result as a page')
  expect(frame).toHaveAttribute('sandbox', '')
  expect(frame.getAttribute('src')).toMatch(/^\/api\/runs\/[^/]+\/calls\/[^/]+\/preview$/)
  expect(frame).not.toHaveAttribute('srcdoc')
})

test.each(['Hello', '{"html":"<p>x</p>"}', 'x <p>Hello</p>', '<script>x()</script>', '<svg/>'])(
  '%s is no page',
  async (text) => {
    const card = await openResult(text)
    expect(card.queryByRole('button', { name: 'As a page' })).toBeNull()
  },
)

test('a text of several lines in a result is shown as its lines, after the rest of the result', async () => {
  const output = 'total 8\n-rw-r--r-- notes.md\n'
  const card = await openResult(JSON.stringify({ exitCode: 0, output, '<b>': 'one\ntwo' }))
  const texts = [...document.querySelectorAll('article pre')].map((each) => each.textContent)
  expect(texts.slice(-3)).toEqual(['{\n  "exitCode": 0\n}', output, 'one\ntwo'])
  expect(card.getByText('output')).toBeVisible()
  expect(card.getByText('<b>')).toBeVisible()
})

const rounds = Array.from({ length: 90 }, (_, index) => index + 1)
const state = stateOf(
  start,
  ...rounds.flatMap((round) => [
    roundStart(round),
    message(round, { text: `Text of round ${round}.`, toolCalls: [call('fetch_logs')] }),
    callEnd('fetch_logs', ok('A line'), round),
  ]),
  end,
)

function trace() {
  return (
    <ReaderRoleProvider value="admin">
      <Trace runId={runId} state={state} />
    </ReaderRoleProvider>
  )
}

it('sends the beginning of a long run as HTML, and says what follows', () => {
  const html = renderToString(trace())
  expect(html.match(/aria-label="Round \d+"/g)).toHaveLength(75)
  expect(html).toContain('15 more rounds')
})

it('has every round of a long run in the end, in order', async () => {
  const { container } = render(trace())
  // By a selector, because finding so many parts by their roles takes this environment half a minute.
  const shown = () => [...container.querySelectorAll('section[aria-label^="Round "]')]
  await waitFor(() => expect(shown()).toHaveLength(rounds.length), { timeout: 30_000 })
  expect(shown().map((section) => section.getAttribute('aria-label'))).toEqual(
    rounds.map((round) => `Round ${round}`),
  )
  expect(container).toHaveTextContent('Text of round 90.')
  expect(container).not.toHaveTextContent('more rounds')
}, 60_000)
