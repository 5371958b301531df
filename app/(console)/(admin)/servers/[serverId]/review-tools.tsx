'use client'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { sendAction } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import { Checkbox, triState } from '@/components/ui/checkbox'
import { ErrorNotice } from '@/components/ui/error-notice'
import { Select } from '@/components/ui/select'
import { Table, TableHead } from '@/components/ui/table'
import { useToast } from '@/components/ui/toast'
import { DataClass } from '@/lib/protocol/tool'
import { countOf } from '@/lib/words/format'
import { acceptServerTools } from '../actions'
import type { Choice } from './tool-choice'
import { audiences, dataClassOptions, type ShownTool, ToolReview } from './tool-review'

/**
 * Shows the tools of a server. Those that are picked are accepted in one step, with what a person says about each: nothing
 * that is proposed counts before that.
 */
export function ReviewTools({
  serverId,
  isAsked,
  tools,
}: {
  serverId: string
  isAsked: boolean
  tools: readonly ShownTool[]
}) {
  const router = useRouter()
  const toast = useToast()
  const [choices, setChoices] = useState<Record<string, Partial<Choice>>>({})
  const [ownPicks, setPicked] = useState<readonly string[] | null>(null)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    // A link to one tool is followed before the list is there.
    document.getElementById(window.location.hash.slice(1))?.scrollIntoView()
  }, [])
  const usable = tools.filter(({ state, problem }) => state !== 'gone' && problem === null)
  const picked = ownPicks ?? usable.filter(({ preselected }) => preselected).map(({ name }) => name)
  const chosen = usable.filter(({ name }) => picked.includes(name))
  if (tools.length === 0) {
    return (
      <p className="text-muted">
        {isAsked ? 'No tools' : 'Connect to the server to read its tools.'}
      </p>
    )
  }
  const choiceOf = (tool: ShownTool): Choice => ({ ...firstChoice(tool), ...choices[tool.name] })
  const chooseForAll = (choice: Partial<Choice>) =>
    setChoices((before) => {
      const changed = chosen.map(({ name }) => [name, { ...before[name], ...choice }] as const)
      return { ...before, ...Object.fromEntries(changed) }
    })
  // A change shows its difference and a warning its reason: a person looks at each of these.
  const readers = usable.filter(
    (tool) => tool.state === 'new' && tool.hints.length === 0 && choiceOf(tool).effect === 'read',
  )
  const accept = async (accepted: readonly ShownTool[]) => {
    setBusy(true)
    const decisions = accepted.map((tool) => {
      const { name, hash } = tool
      return { name, hash, ...choiceOf(tool) }
    })
    const result = await sendAction(() => acceptServerTools({ id: serverId, tools: decisions }))
    setBusy(false)
    if (!result.ok) return setFailure(result.error.message)
    setFailure(null)
    setPicked([])
    setChoices({})
    toast({ tone: 'ok', title: `Accepted ${countOf(decisions.length, 'tool')}` })
    router.refresh()
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="z-10 flex flex-wrap items-center gap-x-4 gap-y-2 bg-surface-0 py-2 lg:sticky lg:top-12">
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is the control */}
        <label className="flex items-center gap-2">
          <Checkbox
            checked={triState(chosen.length, usable.length)}
            onCheckedChange={(all) => setPicked(all ? usable.map(({ name }) => name) : [])}
          />
          All
        </label>
        <Button
          variant="primary"
          loading={busy}
          disabled={chosen.length === 0}
          onClick={() => void accept(chosen)}
        >
          {chosen.length === 0 ? 'Accept tools' : `Accept ${countOf(chosen.length, 'tool')}`}
        </Button>
        {readers.length > 0 && (
          <Button disabled={busy} onClick={() => void accept(readers)}>
            Accept {readers.length} that only read
          </Button>
        )}
        <ForAllPicked onChoose={chooseForAll} disabled={chosen.length === 0} />
      </div>
      {failure !== null && <ErrorNotice title="Nothing was accepted">{failure}</ErrorNotice>}
      <Table aria-label="Tools of the server" className="max-lg:block">
        <thead className="max-lg:hidden">
          <tr>
            <TableHead className="w-1/4">Tool</TableHead>
            <TableHead className="min-w-44">What changed</TableHead>
            <TableHead className="w-1/4">Before</TableHead>
            <TableHead className="w-1/3">After</TableHead>
            <TableHead>Decision</TableHead>
          </tr>
        </thead>
        {tools.map((tool) => (
          <ToolReview
            key={tool.name}
            tool={tool}
            choice={choiceOf(tool)}
            isPicked={chosen.includes(tool)}
            canPick={usable.includes(tool)}
            readers={tools.flatMap(({ remoteName }) =>
              remoteName === tool.remoteName ? [] : [remoteName],
            )}
            onPick={(isPicked) =>
              setPicked([
                ...picked.filter((name) => name !== tool.name),
                ...(isPicked ? [tool.name] : []),
              ])
            }
            onChoose={(choice) => {
              setChoices((before) => ({
                ...before,
                [tool.name]: { ...before[tool.name], ...choice },
              }))
              setPicked([...new Set([...picked, tool.name])])
            }}
          />
        ))}
      </Table>
    </div>
  )
}

/** Asks once for what is set on each tool that is picked. */
function ForAllPicked({
  onChoose,
  disabled,
}: {
  onChoose: (choice: Partial<Choice>) => void
  disabled: boolean
}) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="text-muted text-sm">All picked:</span>
      <Select
        aria-label="Data class of all picked tools"
        disabled={disabled}
        className="w-44"
        placeholder="Data class"
        value=""
        options={dataClassOptions}
        onValueChange={(value) => onChoose({ dataClass: DataClass.parse(value) })}
      />
      <Select
        aria-label="Who may use all picked tools"
        disabled={disabled}
        className="w-40"
        placeholder="Who may use it"
        value=""
        options={audiences}
        onValueChange={(value) => onChoose({ requiresAdmin: value === 'admins' })}
      />
      <Button size="sm" disabled={disabled} onClick={() => onChoose({ enabled: true })}>
        Switch on
      </Button>
    </div>
  )
}

/** Returns what is filled in at first: what was set, or for a new tool what it probably does. */
function firstChoice(tool: ShownTool): Choice {
  const { state, proposed, effect, dataClass, requiresAdmin, enabled, alias, description } = tool
  const others = { dataClass, requiresAdmin, enabled, alias, description }
  return state === 'new'
    ? { ...others, effect: proposed, look: tool.proposedLook }
    : { ...others, effect, look: tool.look }
}
