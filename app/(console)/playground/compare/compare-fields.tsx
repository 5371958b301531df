'use client'
import { X } from 'lucide-react'
import { useState } from 'react'
import { SearchItem, SearchPopover } from '@/components/forms/search-popover'
import { priceOf } from '@/components/nouns/model-words'
import { Disclosure } from '@/components/trace/disclosure'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/field'
import { IconButton } from '@/components/ui/icon-button'
import { Input } from '@/components/ui/input'
import { Select } from '@/components/ui/select'
import { Textarea } from '@/components/ui/textarea'
import type { ConfigurationListing } from '@/lib/domains/configurations/schemas'
import { visibleText } from '@/lib/protocol/clean-text'
import { panelRoles, roleWords, shippedInstructions } from '@/lib/protocol/coordination'
import { countOf } from '@/lib/protocol/format'
import { hopBudgets, panelSize } from '@/lib/protocol/panel'
import type { Role } from '@/lib/protocol/tool'
import { CostCapField } from '../panel'
import { ToolPicker } from '../tool-picker'
import type { PickableTool } from '../tool-selection'
import {
  type CompareDraft,
  type CompareErrors,
  leastMembers,
  type PanelMode,
  roleAt,
  type Told,
} from './compare-draft'

type Props = {
  role: Role
  userId: string
  configurations: ConfigurationListing[]
  /** With the verdicts for the first configuration. */
  tools: PickableTool[]
  pending: boolean
  trouble: string | null
  draft: CompareDraft
  errors: CompareErrors
  onChange: (part: Partial<CompareDraft>) => void
  /** Goes back to one configuration. */
  onLeave: () => void
}

/** Shows the settings of a panel: its configurations, and what all of its members get. */
export function CompareFields({ draft, errors, onChange, ...rest }: Props) {
  const { mode, ids, told, tools, hops, all, each } = draft
  return (
    <>
      <Members
        configurations={rest.configurations}
        mode={mode}
        ids={ids}
        errors={errors}
        onMode={(next) =>
          onChange({ mode: next, ids: next === 'compare' ? [...new Set(ids)] : ids })
        }
        onChange={(next) => onChange({ ids: next })}
        onLeave={rest.onLeave}
      />
      {mode === 'coordinate' && (
        <ToldFields told={told} onChange={(part) => onChange({ told: { ...told, ...part } })} />
      )}
      <div className="flex flex-col gap-2">
        <Disclosure
          summary={tools.length === 0 ? 'Tools: none' : `Tools: ${countOf(tools.length, 'tool')}`}
          isOpen={errors.tools !== undefined}
        >
          <p className="pb-2 text-muted">
            {mode === 'compare' ? 'Each member has' : 'The proposer and the critics have'} those of
            the picked tools that its own gates allow. The list shows what the first configuration
            may have.
          </p>
          <ToolPicker
            tools={rest.tools}
            pending={rest.pending}
            trouble={rest.trouble}
            picked={tools}
            role={rest.role}
            about={{ configurationId: ids[0] ?? null, userId: rest.userId, taskId: null }}
            onPick={(picked) => onChange({ tools: picked })}
          />
        </Disclosure>
        {errors.tools && <p className="text-error text-sm">{errors.tools}</p>}
        {tools.length > 0 && (
          <Field
            id="hop-budget"
            label="Hop budget"
            hint={`How often each member may ask for tools, 1-${hopBudgets.most}. Leave empty for ${hopBudgets.usual}.`}
            error={errors.hops}
          >
            {(control) => (
              <Input
                {...control}
                type="number"
                inputMode="numeric"
                min={1}
                max={hopBudgets.most}
                className="w-24"
                placeholder={String(hopBudgets.usual)}
                value={hops}
                onChange={(event) => onChange({ hops: event.target.value })}
              />
            )}
          </Field>
        )}
      </div>
      <CostCapField
        id="panel-cost-cap"
        label="Cost cap of all members in US dollars"
        hint="Leave empty for none."
        value={all}
        error={errors.all}
        onChange={(part) => onChange({ all: { ...all, ...part } })}
      />
      <CostCapField
        id="member-cost-cap"
        label="Cost cap of each member in US dollars"
        hint="In addition to those of the configurations. Leave empty for none."
        value={each}
        error={errors.each}
        onChange={(part) => onChange({ each: { ...each, ...part } })}
      />
    </>
  )
}

const modes = [
  { value: 'compare', label: 'Compare', hint: 'Each answers by itself, side by side' },
  {
    value: 'coordinate',
    label: 'Coordinate',
    hint: 'One proposes, others criticise, the last writes the answer',
  },
] as const

type MembersProps = {
  configurations: ConfigurationListing[]
  mode: PanelMode
  ids: readonly string[]
  errors: CompareErrors
  onMode: (mode: PanelMode) => void
  onChange: (ids: string[]) => void
  onLeave: () => void
}

function Members({ mode, ids, errors, onMode, onChange, onLeave, configurations }: MembersProps) {
  const picked = ids.flatMap((id) => configurations.find((each) => each.id === id) ?? [])
  const mayRepeat = mode === 'coordinate'
  return (
    <section aria-label="Configurations to compare" className="flex flex-col gap-2">
      <div className="flex items-center justify-between gap-2">
        <h2 className="sr-only">Members</h2>
        <Select
          className="w-40"
          aria-label="What the members do"
          options={modes}
          value={mode}
          onValueChange={(next) => onMode(next === 'coordinate' ? 'coordinate' : 'compare')}
        />
        <Button size="sm" variant="ghost" onClick={onLeave}>
          One configuration
        </Button>
      </div>
      <ol className="flex flex-col gap-1">
        {picked.map((each, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: with roles, a configuration may stand at several places
          <li key={`${each.id} ${place}`} className="rounded-md border px-2.5 py-1">
            <div className="flex items-center gap-2">
              <span className="min-w-0 flex-1">
                <span className="block truncate text-strong">
                  {mayRepeat && `${roleWords[roleAt(place, picked.length)]}: `}
                  <VisibleText text={each.name} />
                </span>
                <span className="block truncate text-muted text-sm">{aboutOf(each)}</span>
              </span>
              <IconButton
                size="sm"
                label={`Remove ${visibleText(each.name)}`}
                onClick={() => onChange(ids.filter((_, at) => at !== place))}
              >
                <X aria-hidden />
              </IconButton>
            </div>
            {errors.members?.[place] && (
              <p role="alert" className="text-error text-sm [overflow-wrap:anywhere]">
                <VisibleText text={errors.members[place]} />
              </p>
            )}
          </li>
        ))}
      </ol>
      {picked.length < panelSize.most && (
        <AddMember
          rest={configurations.filter(({ id }) => mayRepeat || !ids.includes(id))}
          isFirst={picked.length < leastMembers[mode]}
          error={errors.configurations}
          onAdd={(id) => onChange([...ids, id])}
        />
      )}
      {errors.configurations && (
        <p id="members-error" role="alert" className="text-error text-sm">
          {errors.configurations}
        </p>
      )}
    </section>
  )
}

/** Shows what each role is told, which can be replaced. */
function ToldFields({ told, onChange }: { told: Told; onChange: (part: Partial<Told>) => void }) {
  const changed = panelRoles.filter((role) => told[role].trim() !== '').length
  return (
    <Disclosure
      summary={changed === 0 ? 'What roles are told' : `What roles are told: ${changed} changed`}
    >
      <div className="flex flex-col gap-3">
        {panelRoles.map((role) => (
          <Field
            key={role}
            id={`told-${role}`}
            label={roleWords[role]}
            hint="After the system prompt of its configuration. Leave empty for the words shown."
          >
            {(control) => (
              <Textarea
                {...control}
                rows={4}
                placeholder={shippedInstructions[role]}
                value={told[role]}
                onChange={(event) => onChange({ [role]: event.target.value })}
              />
            )}
          </Field>
        ))}
      </div>
    </Disclosure>
  )
}

/** Adds a configuration. It opens by itself while there is nothing to compare yet. */
function AddMember({
  rest,
  isFirst,
  error,
  onAdd,
}: {
  rest: ConfigurationListing[]
  isFirst: boolean
  error?: string | undefined
  onAdd: (id: string) => void
}) {
  const [open, setOpen] = useState(isFirst)
  if (rest.length === 0)
    return (
      <p className="text-muted text-sm">
        There is no other configuration that you may use. With Coordinate, one may have several
        roles; to compare, an admin adds another one.
      </p>
    )
  return (
    <SearchPopover
      open={open}
      onOpenChange={setOpen}
      label="Configurations"
      searchLabel="Search configurations"
      nothing="No matches"
      shown="Add configuration"
      isMuted
      button={{
        'aria-label': 'Add configuration',
        'aria-invalid': error ? true : undefined,
        'aria-describedby': error ? 'members-error' : undefined,
      }}
    >
      {rest.map((each) => (
        <SearchItem
          key={each.id}
          value={each.id}
          keywords={[each.name, each.identifier, each.modelName, each.connectionName]}
          onSelect={() => {
            onAdd(each.id)
            setOpen(false)
          }}
          name={each.name}
          about={aboutOf(each)}
          isChosen={false}
        />
      ))}
    </SearchPopover>
  )
}

function aboutOf(each: ConfigurationListing): string {
  return `${each.modelName} · ${each.connectionName} · ${priceOf(each)}`
}
