import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ToastProvider } from '@/components/ui/toast'
import { unpriced } from '@/lib/protocol/cost/cost'
import { Playground } from './playground'

const { runPrompt } = vi.hoisted(() => ({ runPrompt: vi.fn() }))
vi.mock('./actions', () => ({ runPrompt }))
// Files share a process: the sheet that its own test loaded before keeps the actions of that test.
vi.mock('./dry-run-sheet', () => ({
  DryRunSheet: ({ input }: { input: { configuration: string; prompt: string } }) => (
    <p>{`${input.configuration} would get: ${input.prompt}`}</p>
  ),
}))
vi.mock('next/navigation', () => ({ useRouter: () => ({ replace: vi.fn(), push: vi.fn() }) }))

const configuration = {
  id: 'c1',
  identifier: 'nightly',
  name: 'Nightly',
  description: '',
  maxRounds: 10,
  fault: null,
  connectionName: 'Demo',
  wire: 'demo' as const,
  modelId: 'm',
  modelName: 'M',
  contextTokens: null,
  toolCalling: 'confirmed' as const,
  prices: unpriced,
  lacksKey: false,
  leastTrusted: { zone: 'local' as const, connectionName: 'Demo' },
  fallbacks: [],
}

function renderPlayground() {
  const about = { configurationId: 'c1', taskId: null }
  const reader = { role: 'member', userId: 'u1' } as const
  render(
    <QueryClientProvider client={new QueryClient()}>
      <ToastProvider>
        <Playground
          {...reader}
          tasks={[]}
          budgets={[]}
          closed={0}
          siteRounds={20}
          joined={null}
          from={null}
          continued={null}
          changedFrom={null}
          workspace={null}
          compares={null}
          unusable={null}
          missing={false}
          named
          configurations={[configuration]}
          explained={{ ...about, tools: [] }}
          changeable={{ configurationId: 'c1', changeable: null }}
          task={{ task: null, values: {} }}
          blocked={{ configuration: 'c1', task: null, obstacle: null }}
        />
      </ToastProvider>
    </QueryClientProvider>,
  )
  return screen.getByRole('textbox', { name: /prompt/i })
}

test('an empty prompt is not sent, and gets the focus', async () => {
  const prompt = renderPlayground()
  await userEvent.click(screen.getByRole('button', { name: /^Run/ }))
  expect(screen.getByText('Enter a prompt first.')).toBeTruthy()
  expect(document.activeElement).toBe(prompt)
  expect(runPrompt).not.toHaveBeenCalled()
})

test('a prompt is sent with its configuration, and the panel opens for what is wrong there', async () => {
  const fields = { maxRounds: 'At most 20 rounds.' }
  runPrompt.mockResolvedValue({ ok: false, error: { code: 'invalid-input', message: '', fields } })
  const prompt = renderPlayground()
  await userEvent.type(prompt, 'Say hello')
  await userEvent.click(screen.getByRole('button', { name: /^Run/ }))
  expect(await screen.findByText('At most 20 rounds.')).toBeTruthy()
  expect(runPrompt.mock.lastCall?.[0]).toMatchObject({ configuration: 'c1', prompt: 'Say hello' })
})

test('a dry run of the form is asked for in the menu beside Run, and starts nothing', async () => {
  runPrompt.mockClear()
  const prompt = renderPlayground()
  const choose = async () => {
    screen.getByRole('button', { name: 'More ways to run' }).focus()
    await userEvent.keyboard('{Enter}')
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Dry run' }))
  }
  await userEvent.clear(prompt)
  await choose()
  expect(screen.getByText('Enter a prompt first.')).toBeTruthy()
  expect(screen.queryByText(/would get/)).toBeNull()
  await userEvent.type(prompt, 'Say hello')
  await choose()
  await screen.findByText('c1 would get: Say hello')
  expect(runPrompt).not.toHaveBeenCalled()
})
