'use client'
import { useAct } from '@/components/forms/use-act'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Section } from '@/components/ui/section'
import { Select } from '@/components/ui/select'
import type { GroupDetails } from '@/lib/groups/schemas'
import { setConfiguration } from '../actions'

type Choice = { id: string; name: string }

/** What the members of a group may run with. */
export function GroupConfigurations({
  group,
  choices,
}: {
  group: GroupDetails
  choices: Choice[]
}) {
  const { busy, act } = useAct()
  const mine = new Set(group.configurations.map(({ id }) => id))
  const others = choices.filter(({ id }) => !mine.has(id))
  const set = ({ id, name }: Choice, allowed: boolean) =>
    act(() => setConfiguration({ groupId: group.id, configurationId: id, allowed }), {
      done: allowed ? `Members may now use ${name}` : `Members may no longer use ${name}`,
      failed: 'The configurations were not changed',
    })
  return (
    <Section
      title="Configurations"
      action={
        others.length > 0 && (
          <Select
            aria-label="Add a configuration"
            className="w-60"
            placeholder="Add a configuration…"
            value=""
            disabled={busy}
            options={others.map(({ id, name }) => ({ value: id, label: name }))}
            onValueChange={(id) => {
              const choice = others.find((each) => each.id === id)
              if (choice) set(choice, true)
            }}
          />
        )
      }
    >
      {group.configurations.length === 0 ? (
        <p className="text-muted">None yet: its members get nothing from this group.</p>
      ) : (
        <ul className="divide-y rounded-md border bg-surface-1">
          {group.configurations.map((each) => (
            <li key={each.id} className="flex items-center gap-3 px-3 py-2">
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                <VisibleText text={each.name} />{' '}
                <code className="font-mono text-mono text-muted">{each.identifier}</code>
              </span>
              {!each.enabled && <Badge>Disabled</Badge>}
              <Button size="sm" disabled={busy} onClick={() => set(each, false)}>
                Remove<span className="sr-only"> {each.name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
