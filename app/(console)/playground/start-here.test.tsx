import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { Role, Verdict } from '@/lib/protocol/tool'
import { demoExamples, usualExamples } from './example-groups'
import { NoConfiguration, StartHere } from './start-here'
import type { PickableTool } from './tool-selection'

const yes: Verdict = { allowed: true }
const off: Verdict = { allowed: false, gate: 'enabled', reason: 'Off.' }
const absent: Verdict = { allowed: false, gate: 'registered', reason: 'Not available.' }

function tool(name: string, verdict: Verdict = yes): PickableTool {
  const words = { description: '', group: 'system', schemaTokens: 1 }
  return { name, ...words, verdict, waits: verdict.allowed && name.includes('write') }
}

type Case = {
  tools: PickableTool[]
  role?: Role
  workspace?: string | null
  picked?: string[] | null
}

const question = ({ role = 'admin', workspace = null, picked = null, tools }: Case) => ({
  tools,
  role,
  workspace,
  picked,
})

function showDemo(of: Case) {
  const onPick = vi.fn()
  render(<StartHere groups={demoExamples(question(of))} onPick={onPick} />)
  return onPick
}

const reads = ['list_users', 'get_runtime_info', 'current_time', 'calculate'].map((name) =>
  tool(name),
)
const writePrompt = (workspace: string) =>
  `Write notes.md in ${workspace} with "Hello from the demo", then read it.`
const writes = () => within(screen.getByRole('list', { name: /^A write/ }))
const buttons = () => screen.queryAllByRole('button').map(({ textContent }) => textContent)

describe('a model', () => {
  it('is offered prompts that call the tools of this run', async () => {
    const onPick = vi.fn()
    const groups = usualExamples(question({ tools: [tool('list_users')] }))
    render(<StartHere groups={groups} onPick={onPick} />)
    expect(screen.getByText(/pick an example/)).toBeVisible()
    await userEvent.click(screen.getByRole('button', { name: 'Who may sign in here?' }))
    expect(onPick).toHaveBeenCalledWith('Who may sign in here?')
  })

  it('is offered none when their tools are not installed', () => {
    const groups = usualExamples(question({ tools: [tool('sing')] }))
    render(<StartHere groups={groups} onPick={vi.fn()} />)
    expect(screen.getByText(/^Write a prompt/)).toBeVisible()
    expect(screen.queryByText(/pick an example/)).toBeNull()
    expect(screen.queryByRole('list')).toBeNull()
    expect(buttons()).toEqual([])
  })
})

describe('the demo', () => {
  it('is offered six prompts by what they show, each of which can work', async () => {
    const tools = [...reads, tool('write_file'), tool('memory_write'), tool('get_env_raw', off)]
    const onPick = showDemo({ tools, workspace: 'docs' })
    const titles = screen.getAllByRole('heading').map(({ textContent }) => textContent)
    expect(titles).toEqual(['Reads', 'A write that waits for your approval', 'A refused call'])
    expect(buttons()).toEqual([
      'Who may sign in here?',
      'Which Node version does this server run on, and what is its uptime?',
      'What time is it in Tokyo? Use the tool for the time.',
      writePrompt('docs'),
      'Remember that reports are written in German.',
      'Use get_env_raw and show what it returns.',
    ])
    expect(screen.queryAllByRole('link')).toEqual([])
    await userEvent.click(screen.getByRole('button', { name: writePrompt('docs') }))
    expect(onPick).toHaveBeenCalledWith(writePrompt('docs'))
  })

  it.each([
    ['a workspace', absent, null, 'Add a workspace', '/resources/workspaces?add=handbook'],
    ['its tool', off, 'docs', 'Switch on write_file', '/tools/write_file'],
    [
      'a workspace to write in',
      yes,
      null,
      'Let tools write in a workspace',
      '/resources/workspaces',
    ],
  ])('says first what a prompt lacks: %s', (_, verdict, workspace, words, href) => {
    showDemo({ tools: [...reads, tool('write_file', verdict)], workspace })
    expect(writes().getByText(writePrompt(workspace ?? 'handbook'))).toBeVisible()
    expect(writes().queryByRole('button')).toBeNull()
    expect(writes().getByRole('link', { name: words })).toHaveAttribute('href', href)
  })

  it.each([
    ['a program', absent, 'docs', 'Allow a program', '/resources/programs'],
    ['its tool', off, 'docs', 'Switch on exec', '/tools/exec'],
  ])('says first what a command lacks: %s', (_, verdict, workspace, words, href) => {
    showDemo({ tools: [...reads, tool('exec', verdict)], workspace })
    expect(writes().getByText(`Run ls -la in ${workspace}`)).toBeVisible()
    expect(writes().getByRole('link', { name: words })).toHaveAttribute('href', href)
  })

  it('offers commands to admins alone', () => {
    const tools = [...reads, tool('write_file'), tool('exec')]
    const { unmount } = render(
      <StartHere
        groups={demoExamples(question({ tools, workspace: 'docs', role: 'member' }))}
        onPick={vi.fn()}
      />,
    )
    expect(buttons()).not.toContain('Run ls -la in docs')
    unmount()
    showDemo({ tools, workspace: 'docs' })
    expect(buttons()).toContain('Run ls -la in docs')
  })

  it('tells members whom to ask', () => {
    showDemo({ role: 'member', tools: [...reads, tool('write_file', absent)] })
    expect(writes().getByText('Ask an admin to add a workspace.')).toBeVisible()
    expect(writes().queryByRole('link')).toBeNull()
  })

  it('says that a tool was not picked', () => {
    const tools = [...reads, tool('write_file'), tool('memory_write')]
    showDemo({ tools, workspace: 'docs', picked: ['list_users', 'memory_write'] })
    expect(writes().getByText(/^Pick write_file under/)).toBeVisible()
    expect(buttons()).toEqual([
      'Who may sign in here?',
      'Remember that reports are written in German.',
    ])
  })

  it('does not say that a write waits which does not', () => {
    showDemo({ tools: [...reads, { ...tool('memory_write'), waits: false }] })
    expect(screen.getByRole('list', { name: 'A write' })).toBeVisible()
  })

  it('is offered nothing without tools: it then calls none', () => {
    showDemo({ tools: [tool('get_env_raw', off)] })
    expect(buttons()).toEqual([])
  })
})

const show = (role: Role, closed = 0) => render(<NoConfiguration role={role} closed={closed} />)

describe('nothing to run with', () => {
  it('tells a member whom to ask', () => {
    show('member')
    expect(screen.getByText('No configuration for you yet')).toBeDefined()
    expect(screen.getByText('Ask an admin to add you to a group.')).toBeDefined()
  })

  it('tells an admin how to add one', () => {
    show('admin')
    expect(screen.getByRole('link', { name: 'Connect a model' })).toBeDefined()
  })

  it('tells an admin that those that exist cannot be used', () => {
    show('admin', 2)
    expect(screen.getByText(/^Each is off/)).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Connect a model' })).toBeNull()
  })
})
