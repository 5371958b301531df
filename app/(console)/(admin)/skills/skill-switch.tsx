'use client'
import type { SkillListing } from '@toolgate/server/domains/skills/schemas'
import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from '@/components/forms/confirm-dialog'
import { useAct } from '@/components/forms/use-act'
import { OnOffSwitch } from '@/components/ui/switch'
import { visibleText } from '@/lib/words/clean-text'
import { switchSkill } from './actions'
import { NoTools } from './no-tools'

/**
 * Switches a skill on or off. `limit`: what is said first when switching off may remove the limit of what runs may use; null =
 * it removes none. The server asks before switching on leaves runs without tools.
 */
export function SkillSwitch({
  skill: { id, name, enabled },
  limit,
}: {
  skill: Pick<SkillListing, 'id' | 'name' | 'enabled'>
  limit: ReactNode
}) {
  const { busy, act } = useAct()
  const [isAsking, setAsking] = useState(false)
  const [question, setQuestion] = useState<string | null>(null)
  const set = (on: boolean, confirmed = false) => switchSkill({ id, enabled: on, confirmed })
  const words = {
    failed: `${name} was not changed`,
    done: `Switched ${enabled ? 'off' : 'on'} ${name}`,
    undo: () => set(enabled, true),
    about: id,
  }
  const flip = () => {
    if (enabled && limit !== null) setAsking(true)
    else void act(() => set(!enabled), { ...words, ask: setQuestion })
  }
  return (
    <>
      <OnOffSwitch
        aria-label={visibleText(name)}
        checked={enabled}
        busy={busy}
        onCheckedChange={flip}
      />
      {question && (
        <NoTools
          question={question}
          {...words}
          send={() => set(!enabled, true)}
          onClose={() => setQuestion(null)}
        />
      )}
      {isAsking && (
        <ConfirmDialog
          {...words}
          title={`Switch off ${name}`}
          send={() => set(false)}
          onClose={() => setAsking(false)}
        >
          {limit}
        </ConfirmDialog>
      )}
    </>
  )
}
