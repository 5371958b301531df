import type { ConfigurationListing } from '@toolgate/server/domains/configurations/schemas'
import { ArrowUp, X } from 'lucide-react'
import { useFocusAfter } from '@/components/forms/use-focus-after'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { IconButton } from '@/components/ui/icon-button'
import { Select } from '@/components/ui/select'
import { roleAt } from '@/lib/domains/tasks/shared/panel-of-task'
import { panelSize } from '@/lib/protocol/panel/panel'
import { roleWords } from '@/lib/protocol/panel/role-words'
import { visibleText } from '@/lib/words/clean-text'
import { aboutConfiguration, ConfigurationSearch } from '../configuration-search'
import { type CompareErrors, leastMembers, type PanelMode } from './compare-draft'

const modes = [
  { value: 'compare', label: 'Compare', hint: 'Each answers, side by side' },
  {
    value: 'coordinate',
    label: 'Coordinate',
    hint: 'One proposes, others criticise, the last writes the answer',
  },
] as const

const listId = 'members-to-compare'

type Props = {
  configurations: ConfigurationListing[]
  mode: PanelMode
  ids: readonly string[]
  errors: CompareErrors
  onMode: (mode: PanelMode) => void
  onChange: (ids: string[]) => void
  onLeave: () => void
}

/** Shows what the members do, and the list of their configurations. */
export function Members({ mode, ids, errors, onMode, onChange, onLeave, configurations }: Props) {
  const picked = ids.flatMap((id) => configurations.find((each) => each.id === id) ?? [])
  const mayRepeat = mode === 'coordinate'
  const focusAfter = useFocusAfter()
  const moveUp = (place: number) => {
    onChange(ids.with(place - 1, ids[place] ?? '').with(place, ids[place - 1] ?? ''))
    focusAfter(place === 1 ? listId : `${listId}-up-${place - 1}`)
  }
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
      <ol
        id={listId}
        tabIndex={-1}
        aria-label="Members"
        className="flex flex-col gap-1 focus:outline-none"
      >
        {picked.map((each, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: with roles, a configuration may stand at several places
          <li key={`${each.id} ${place}`} className="rounded-md border px-2.5 py-1">
            <div className="flex items-center gap-2">
              <span className="min-w-0 flex-1">
                <span className="block truncate text-strong">
                  {mayRepeat && `${roleWords[roleAt(place, picked.length)]}: `}
                  <VisibleText text={each.name} />
                </span>
                <span className="block truncate text-muted text-sm">
                  {aboutConfiguration(each)}
                </span>
              </span>
              {place > 0 && (
                <IconButton
                  id={`${listId}-up-${place}`}
                  size="sm"
                  label={`Move ${visibleText(each.name)} up`}
                  onClick={() => moveUp(place)}
                >
                  <ArrowUp aria-hidden />
                </IconButton>
              )}
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
  if (rest.length === 0)
    return (
      <p className="text-muted text-sm">
        No other configuration. With Coordinate, one may have several roles.
      </p>
    )
  return (
    <ConfigurationSearch
      configurations={rest}
      chosen={null}
      shown="Add configuration"
      isOpenAtFirst={isFirst}
      button={{
        'aria-label': 'Add configuration',
        'aria-invalid': error ? true : undefined,
        'aria-describedby': error ? 'members-error' : undefined,
      }}
      onPick={onAdd}
    />
  )
}
