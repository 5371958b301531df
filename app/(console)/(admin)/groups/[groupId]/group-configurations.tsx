'use client'
import Link from 'next/link'
import { useState } from 'react'
import { Choice } from '@/components/forms/choice'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { useAct } from '@/components/forms/use-act'
import { VisibleText } from '@/components/trace/visible-text'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Section } from '@/components/ui/section'
import type { GroupDetail } from '@/lib/domains/groups/shape'
import { setConfiguration } from '../actions'

type Configuration = { id: string; name: string }

/** Shows the configurations that the members of a group may use. */
export function GroupConfigurations({
  group,
  choices,
}: {
  group: GroupDetail
  choices: Configuration[]
}) {
  const { busy, act } = useAct()
  const [closing, setClosing] = useState<Configuration | null>(null)
  const mine = new Set(group.opens.map(({ id }) => id))
  const others = choices.filter(({ id }) => !mine.has(id))
  const set = ({ id: configurationId }: Configuration, allowed: boolean, reason = '') =>
    setConfiguration({ groupId: group.id, configurationId, allowed, reason })
  const open = (choice: Configuration) =>
    act(() => set(choice, true), {
      done: `Members may now use ${choice.name}`,
      undo: () => set(choice, false),
      about: choice.id,
    })
  return (
    <Section
      title="Configurations"
      action={
        others.length > 0 && (
          <Choice
            aria-label="Add a configuration"
            className="w-60"
            placeholder="Add a configuration…"
            value=""
            options={others.map(({ id, name }) => ({ value: id, label: name }))}
            onValueChange={(id) => {
              const choice = others.find((each) => each.id === id)
              if (choice) open(choice)
            }}
          />
        )
      }
    >
      {group.opens.length === 0 ? (
        <p className="text-muted">No configurations.</p>
      ) : (
        <ul className="divide-y rounded-md border bg-surface-1">
          {group.opens.map((each) => (
            <li key={each.id} className="flex items-center gap-3 px-3 py-2">
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                <Link href={`/configurations/${each.id}`} className="text-link hover:underline">
                  <VisibleText text={each.name} />
                </Link>{' '}
                <code className="font-mono text-mono text-muted">{each.identifier}</code>
              </span>
              {!each.enabled && <Badge>Off</Badge>}
              <Button size="sm" disabled={busy} onClick={() => setClosing(each)}>
                Remove<span className="sr-only"> {each.name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {closing && (
        <ActWithReason
          title={`Remove ${closing.name} from ${group.name}`}
          done={`Removed ${closing.name}`}
          send={(reason) => set(closing, false, reason)}
          undo={() => set(closing, true)}
          about={closing.id}
          onClose={() => setClosing(null)}
        >
          Their active runs with it end, unless another group allows it.
        </ActWithReason>
      )}
    </Section>
  )
}
