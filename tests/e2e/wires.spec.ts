import { readJournal } from './support/journal'
import { modelRequests, newMark } from './support/model-requests'
import { calls, end, expectEnd, round, run, runPrompt } from './support/playground'
import { expect, test } from './support/test'

const wires = [
  { wire: 'openai', path: '/v1/responses' },
  { wire: 'anthropic', path: '/v1/messages' },
  { wire: 'ollama', path: '/api/chat' },
  { wire: 'openai-compatible', path: '/v1/chat/completions' },
] as const

for (const { wire, path } of wires) {
  test(`${wire}: several rounds with parallel calls, shown and kept`, async ({ page }) => {
    const mark = newMark()
    const runId = await runPrompt(page, {
      configuration: `Local ${wire}`,
      prompt: [
        `${mark} [[say: I look at both sides.]]`,
        '[[call slow_read {"ms":1000,"label":"left side"}]] [[call slow_read {"ms":1000,"label":"right side"}]]',
        '[[then]] [[call list_users {}]]',
        '[[then]] [[say: Both sides were read.]]',
      ].join(' '),
    })
    await expectEnd(page, 'Completed')

    await expect(round(page, 1)).toContainText('I look at both sides.')
    await expect(round(page, 3)).toContainText('Both sides were read.')
    await expect(calls(page)).toHaveCount(3)
    await expect(calls(page).getByText('Done', { exact: true })).toHaveCount(3)
    for (const fact of ['3 rounds', '3 calls']) {
      await expect(end(page).getByText(fact, { exact: true })).toBeVisible()
    }
    await expect(end(page).getByText(/^\$0\.0\d+$/)).toBeVisible()
    await expect(end(page).getByText('Truncated')).toHaveCount(0)

    const first = calls(page).first()
    await first.getByRole('button').first().click()
    await expect(first).toContainText('"label": "left side"')
    await expect(run(page)).not.toContainText('"label": "right side"')

    const requests = await modelRequests(mark)
    expect(requests.map((request) => request.path)).toEqual([path, path, path])
    expect(requests[0]?.offered).toContain('slow_read')
    expect(requests[0]?.offered).toEqual(requests[0]?.offered.toSorted())
    expect(requests[1]?.results.map((result) => /left|right/.exec(result)?.[0])).toEqual([
      'left',
      'right',
    ])
    expect(requests[2]?.results).toHaveLength(3)

    const events = await readJournal(page.request, runId)
    const steps = events.map((event) => event.type).filter((type) => /^call-/.test(type))
    expect(steps.slice(0, 4)).toEqual(['call-start', 'call-start', 'call-end', 'call-end'])
    expect(events.filter((event) => event.type === 'run-end')).toHaveLength(1)
  })
}

test('the demo answers without any model, and says that it is none', async ({ page }) => {
  await runPrompt(page, {
    configuration: 'Demo (no model)',
    prompt: 'Which accounts exist here, and which of them are admins?',
  })
  await expectEnd(page, 'Completed')
  await expect(calls(page).filter({ hasText: 'list_users' })).not.toHaveCount(0)
  await expect(page.getByText('Stand-in', { exact: true })).toBeVisible()
})

test('a provider that refuses is explained without its words', async ({ page }) => {
  await runPrompt(page, { prompt: `${newMark()} [[status 401]]` })
  await expectEnd(page, 'Provider failed')
  await expect(end(page)).toContainText('HTTP 401')
  await expect(end(page)).not.toContainText('Scripted status')
})
