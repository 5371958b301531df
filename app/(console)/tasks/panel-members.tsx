'use client'
import { ArrowUp, Plus, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { FieldGroup } from '@/components/forms/field-group'
import { useFormAround } from '@/components/forms/form'
import { FormField } from '@/components/forms/form-field'
import { SearchItem, SearchPopover } from '@/components/forms/search-popover'
import { useFocusAfter } from '@/components/forms/use-focus-after'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { leastRoles, roleAt } from '@/lib/domains/tasks/shared/panel-of-task'
import { shippedInstructions } from '@/lib/protocol/panel/coordination'
import { hopBudgets, panelSize } from '@/lib/protocol/panel/panel'
import { roleTitle } from '@/lib/protocol/panel/role-words'
import {
  type MemberDraft,
  movedUp,
  type PanelDraft,
  type PanelKind,
  withMember,
} from './panel-draft'
import type { TaskChoices } from './read-task-choices'

export type PanelProps = {
  panel: PanelDraft
  choices: Pick<TaskChoices, 'configurations' | 'tools'>
}

/** Shows the members of a panel, which can be added and removed, and their tools and limits. */
export function PanelMembers({ panel, choices }: PanelProps) {
  const { id, change } = useFormAround()
  const focusAfter = useFocusAfter()
  const { kind, members } = panel
  const least = kind === 'confer' ? panelSize.least : leastRoles
  const listId = `${id}-members`
  const setMembers = (next: MemberDraft[]) => change({ 'panel.members': next })
  const add = () => {
    setMembers(withMember(panel))
    const place = members.length - (kind === 'coordinate' ? 1 : 0)
    focusAfter(`${id}-panel.members.${place}.configuration`)
  }
  const remove = (gone: number) => {
    setMembers(members.filter(({ key }) => key !== gone))
    focusAfter(listId)
  }
  const moveUp = (place: number) => {
    setMembers(movedUp(panel, place))
    focusAfter(place === 1 ? listId : `${listId}-up-${place - 1}`)
  }
  return (
    <>
      <ol
        id={listId}
        tabIndex={-1}
        aria-label="Members"
        className="flex flex-col gap-3 focus:outline-none"
      >
        {members.map(({ key }, place) => (
          <Member
            key={key}
            panel={panel}
            place={place}
            choices={choices}
            upId={`${listId}-up-${place}`}
            onMoveUp={place > 0 ? () => moveUp(place) : null}
            onRemove={members.length > least ? () => remove(key) : null}
          />
        ))}
      </ol>
      {members.length < panelSize.most && (
        <Button className="self-start" onClick={add}>
          <Plus className="size-4" aria-hidden />
          {kind === 'confer' ? 'Add configuration' : 'Add critic'}
        </Button>
      )}
      <Tools picked={panel.tools} known={choices.tools} kind={kind} />
      {kind === 'confer' && <Limits at="panel" title="Limits of each member" limits={panel} />}
    </>
  )
}

type MemberProps = PanelProps & {
  place: number
  upId: string
  onMoveUp: (() => void) | null
  onRemove: (() => void) | null
}

function Member({ panel: { kind, members }, place, choices, upId, ...acts }: MemberProps) {
  const { onMoveUp, onRemove } = acts
  const member = members[place]
  if (!member) return null
  const role = kind === 'coordinate' ? roleAt(place, members.length) : null
  const roles = members.map((_, at) => ({ role: roleAt(at, members.length) }))
  const called = (role && roleTitle(roles, place)) ?? `Configuration ${place + 1}`
  const { configuration } = member
  const isGone =
    configuration !== null &&
    choices.configurations.every(({ identifier }) => identifier !== configuration)
  const at = `panel.members.${place}`
  return (
    <li className="rounded-md border bg-surface-1 p-3">
      <fieldset className="flex flex-col gap-3">
        <legend className="sr-only">{called}</legend>
        <div className="flex items-end gap-2">
          <FormField
            name={`${at}.configuration`}
            className="min-w-0 flex-1"
            shape={{
              kind: 'select',
              label: role ? `${called}: configuration` : called,
              search: 'Search configurations',
              placeholder: 'Pick a configuration',
              choices: [
                ...(role ? [{ value: null, label: 'From the task or run' }] : []),
                ...choices.configurations.map(({ name, identifier, enabled }) => ({
                  value: identifier,
                  label: enabled ? name : `${name} (off)`,
                  hint: identifier,
                })),
                ...(isGone ? [{ value: configuration, label: `${configuration} (deleted)` }] : []),
              ],
            }}
          />
          {onMoveUp && (
            <IconButton id={upId} label={`Move ${called} up`} size="sm" onClick={onMoveUp}>
              <ArrowUp aria-hidden />
            </IconButton>
          )}
          {onRemove && (role === null || role === 'critic') && (
            <IconButton label={`Remove ${called}`} size="sm" onClick={onRemove}>
              <Trash2 aria-hidden />
            </IconButton>
          )}
        </div>
        {role && (
          <>
            <FormField
              name={`${at}.instructions`}
              shape={{
                kind: 'textarea',
                label: 'Role prompt',
                optional: true,
                rows: 3,
                placeholder: shippedInstructions[role],
                hint: 'Added to the system prompt. Leave empty for the default.',
              }}
            />
            <Limits at={at} title="Limits" limits={member} hasHops={role !== 'synthesizer'} />
          </>
        )}
      </fieldset>
    </li>
  )
}

const modes = [
  { value: 'warn', label: 'Warn only' },
  { value: 'enforce', label: 'Stop with a final answer' },
] as const

type LimitsProps = {
  /** The path of the values. */
  at: string
  title: string
  limits: Pick<MemberDraft, 'hops' | 'cap'>
  hasHops?: boolean
}

function Limits({ at, title, limits: { hops, cap }, hasHops = true }: LimitsProps) {
  const isUsual = hops === '' || hops === String(hopBudgets.usual)
  return (
    <FieldGroup
      title={title}
      fields={['hops', 'cap', 'capMode'].map((name) => `${at}.${name}`)}
      set={[
        ...(hasHops && !isUsual ? [`Hop budget ${hops}`] : []),
        ...(cap === '' ? [] : [`Cost cap ${cap}`]),
      ]}
    >
      {hasHops && (
        <FormField
          name={`${at}.hops`}
          shape={{
            kind: 'number',
            label: 'Hop budget',
            optional: true,
            placeholder: String(hopBudgets.usual),
            hint: `Rounds with tools, 1-${hopBudgets.most}.`,
          }}
        />
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        <FormField
          name={`${at}.cap`}
          shape={{
            kind: 'money',
            label: 'Cost cap, US dollars',
            optional: true,
            placeholder: '0.25',
          }}
        />
        {cap.trim() !== '' && (
          <FormField
            name={`${at}.capMode`}
            shape={{ kind: 'select', label: 'When it is reached', choices: modes }}
          />
        )}
      </div>
    </FieldGroup>
  )
}

function Tools({
  picked,
  known,
  kind,
}: {
  picked: readonly string[]
  known: TaskChoices['tools']
  kind: PanelKind
}) {
  const { change } = useFormAround()
  const [open, setOpen] = useState(false)
  const set = (tools: string[]) => change({ 'panel.tools': tools })
  const whose = kind === 'confer' ? 'Each member gets' : 'Proposer and critics get'
  return (
    <section aria-label="Tools" className="flex flex-col gap-2">
      <h3 className="font-medium text-strong">Tools</h3>
      <p className="text-muted text-sm">{whose} what its gates allow.</p>
      {picked.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {picked.map((name) => (
            <li key={name} className="flex items-center gap-1 rounded-md border py-0.5 pr-0.5 pl-2">
              <code className="font-mono text-mono [overflow-wrap:anywhere]">{name}</code>
              <IconButton
                size="sm"
                label={`Remove ${name}`}
                onClick={() => set(picked.filter((each) => each !== name))}
              >
                <X aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <SearchPopover
        open={open}
        onOpenChange={setOpen}
        label="Tools"
        searchLabel="Search tools"
        nothing="No matches"
        shown="Add tool"
        isMuted
        button={{ 'aria-label': 'Add tool', className: 'w-full sm:w-60' }}
      >
        {known
          .filter(({ name }) => !picked.includes(name))
          .map(({ name, about }) => (
            <SearchItem
              key={name}
              value={name}
              keywords={[name, about]}
              onSelect={() => {
                set([...picked, name])
                setOpen(false)
              }}
              name={name}
              about={about}
              isChosen={false}
            />
          ))}
      </SearchPopover>
    </section>
  )
}
