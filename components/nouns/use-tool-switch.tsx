'use client'
import { TriangleAlert } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { type ReactNode, useState, useTransition } from 'react'
import { sendAction } from '@/components/forms/use-act'
import { lazyPart } from '@/components/ui/lazy-part'
import { useToast } from '@/components/ui/toast'
import type { ActionError, ActionResult } from '@/lib/next/action'
import type { ListedTool } from './tool-filter'

export type ToolChange = { type: 'set'; enabled: boolean; reason: string } | { type: 'reset' }

/** The server actions that the page passes in. */
export type ToolActions = {
  setTool: (input: {
    name: string
    enabled: boolean
    reason: string
  }) => Promise<ActionResult<unknown>>
  resetToolToDefault: (input: { name: string }) => Promise<ActionResult<unknown>>
}

export type ToolSwitch = {
  /** Switches at once and offers Undo. Asks first when a reason is required. */
  flip: (tool: ListedTool) => void
  /** Asks for a reason first. */
  flipWithReason: (tool: ListedTool) => void
  reset: (tool: ListedTool) => void
  pending: boolean
  dialog: ReactNode
}

/** Returns the functions that switch tools, and their dialog. `onChange` is called before the server has answered. */
export function useToolSwitch(
  actions: ToolActions,
  onChange?: (tool: ListedTool, change: ToolChange) => void,
): ToolSwitch {
  const [question, setQuestion] = useState<ListedTool | null>(null)
  const [pending, startTransition] = useTransition()
  const toast = useToast()
  const router = useRouter()

  const apply = (tool: ListedTool, change: ToolChange, undo: ToolChange | null) => {
    startTransition(async () => {
      onChange?.(tool, change)
      const error = await send(actions, tool.name, change)
      if (error) {
        toast({
          tone: 'error',
          about: tool.name,
          title: `${tool.name} was not changed`,
          description: error.message,
        })
        router.refresh()
        return
      }
      const action = undo && { label: 'Undo', onClick: () => apply(tool, undo, null) }
      toast({ tone: 'ok', about: tool.name, ...doneWords(tool, change), ...(action && { action }) })
    })
  }
  const flip = (tool: ListedTool) => {
    const enabled = !tool.enabled
    if (tool.raw && enabled) setQuestion(tool)
    else apply(tool, { type: 'set', enabled, reason: '' }, undoOf(tool))
  }
  const submit = async (tool: ListedTool, reason: string): Promise<ActionError | null> => {
    const change: ToolChange = { type: 'set', enabled: !tool.enabled, reason }
    const error = await send(actions, tool.name, change)
    if (error) return error
    setQuestion(null)
    const action = { label: 'Undo', onClick: () => apply(tool, undoOf(tool), null) }
    toast({ tone: 'ok', about: tool.name, ...doneWords(tool, change), action })
    return null
  }
  return {
    flip,
    flipWithReason: setQuestion,
    reset: (tool) => apply(tool, { type: 'reset' }, undoOf(tool)),
    pending,
    dialog: question && (
      <ToolReasonDialog
        tool={question}
        onSubmit={(reason) => submit(question, reason)}
        onClose={() => setQuestion(null)}
      />
    ),
  }
}

async function send(
  { setTool, resetToolToDefault }: ToolActions,
  name: string,
  change: ToolChange,
): Promise<ActionError | null> {
  const result = await sendAction(() => {
    if (change.type === 'reset') return resetToolToDefault({ name })
    const { enabled, reason } = change
    return setTool({ name, enabled, reason })
  })
  return result.ok ? null : result.error
}

/** Returns the change that restores the tool's current state. */
function undoOf(tool: ListedTool): ToolChange {
  if (!tool.override) return { type: 'reset' }
  const { enabled, reason } = tool.override
  return { type: 'set', enabled, reason }
}

function doneWords(tool: ListedTool, change: ToolChange): { title: string; description: string } {
  const description = tool.groupOff
    ? `Its group ${tool.group} is off. This applies when the group is on again.`
    : 'Applies from the next call, also in active runs.'
  if (change.type === 'set') {
    return { title: `Switched ${change.enabled ? 'on' : 'off'} ${tool.name}`, description }
  }
  return {
    title: `${tool.name} was reset to its default: ${tool.enabledByDefault ? 'on' : 'off'}`,
    description,
  }
}

const ReasonDialog = lazyPart(async () => {
  const { ReasonDialog } = await import('@/components/forms/reason-dialog')
  return ReasonDialog
})

/** Asks why a tool is switched; required, with a warning, where that shows raw data. */
function ToolReasonDialog({
  tool,
  onSubmit,
  onClose,
}: {
  tool: ListedTool
  onSubmit: (reason: string) => Promise<ActionError | null>
  onClose: () => void
}) {
  const enabling = !tool.enabled
  const warned = tool.raw && enabling
  return (
    <ReasonDialog
      title={`Switch ${enabling ? 'on' : 'off'} ${tool.name}`}
      description={enabling ? effectOfOn : effectOfOff}
      required={warned ? 'Say why it is needed.' : null}
      hint="Stored with the switch and in the audit."
      danger={warned}
      failed="The tool was not changed"
      onSubmit={onSubmit}
      onClose={onClose}
    >
      {warned && <RawWarning tool={tool} />}
    </ReasonDialog>
  )
}

const effectOfOn = 'From its next request on, every run on this site may be offered this tool.'
const effectOfOff = 'No call of it can start after this, in any run. Calls in progress are stopped.'

function RawWarning({ tool }: { tool: ListedTool }) {
  return (
    <div className="flex gap-2 rounded-md border border-warning/40 bg-warning-soft p-3">
      <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-hidden />
      <div className="flex flex-col gap-1 text-sm">
        <p className="font-medium text-warning">
          It shows what <code className="font-mono">{tool.name.replace(/_raw$/, '')}</code> hides
        </p>
        <p>{tool.description}</p>
        <p>
          Its results are sent to the model’s provider unchanged and stay readable in the run’s
          journal. Switch it off again when you are done.
        </p>
      </div>
    </div>
  )
}
