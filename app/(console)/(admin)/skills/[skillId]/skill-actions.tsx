'use client'
import { Download, Power, Trash2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/forms/confirm-dialog'
import { useAct } from '@/components/forms/use-act'
import { LimitGone } from '@/components/nouns/skill-words'
import { Button } from '@/components/ui/button'
import type { SkillListing } from '@/lib/domains/skills/schemas'
import { removeSkill, switchSkill } from '../actions'

type Props = {
  skill: Pick<SkillListing, 'id' | 'name' | 'enabled'>
  /** The names of configurations and tasks that only this skill limits. */
  limits: readonly string[]
  /** What deleting it does. */
  deletion: string
}

export function SkillActions({ skill: { id, name, enabled }, limits, deletion }: Props) {
  const router = useRouter()
  const { busy, act } = useAct()
  const [deleting, setDeleting] = useState(false)
  const [switchingOff, setSwitchingOff] = useState(false)
  const set = (on: boolean) => switchSkill({ skillId: id, enabled: on })
  const send = () => set(!enabled)
  const words = {
    failed: `${name} was not changed`,
    done: `Switched ${enabled ? 'off' : 'on'} ${name}`,
    undo: () => set(enabled),
    about: id,
  }
  const flip = () => {
    if (enabled && limits.length > 0) setSwitchingOff(true)
    else void act(send, words)
  }
  return (
    <>
      <Button loading={busy} onClick={flip}>
        {!busy && <Power className="size-4" aria-hidden />}
        Switch {enabled ? 'off' : 'on'}
      </Button>
      <Button asChild>
        <a href={`/api/skills/${id}/file`} download>
          <Download className="size-4" aria-hidden />
          Download
        </a>
      </Button>
      <Button onClick={() => setDeleting(true)}>
        <Trash2 className="size-4" aria-hidden />
        Delete
      </Button>
      {switchingOff && (
        <ConfirmDialog
          {...words}
          title={`Switch off ${name}`}
          send={send}
          onClose={() => setSwitchingOff(false)}
        >
          <LimitGone configurations={limits} />
        </ConfirmDialog>
      )}
      {deleting && (
        <ConfirmDialog
          title={`Delete ${name}`}
          failed={`${name} was not deleted`}
          done={`Deleted ${name}`}
          send={() => removeSkill({ skillId: id })}
          onDone={() => router.push('/skills')}
          onClose={() => setDeleting(false)}
        >
          {deletion}
        </ConfirmDialog>
      )}
    </>
  )
}
