'use client'
import { Download, Power, Trash2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/forms/confirm-dialog'
import { useAct } from '@/components/forms/use-act'
import { Button } from '@/components/ui/button'
import type { SkillListing } from '@/lib/skills/schemas'
import { removeSkill, switchSkill } from '../actions'

type Skill = Pick<SkillListing, 'id' | 'name' | 'enabled'>

export function SkillActions({ skill: { id, name, enabled } }: { skill: Skill }) {
  const router = useRouter()
  const { busy, act } = useAct()
  const [deleting, setDeleting] = useState(false)
  const flip = () =>
    act(() => switchSkill({ skillId: id, enabled: !enabled }), {
      failed: `${name} was not changed`,
      done: `Switched ${enabled ? 'off' : 'on'} ${name}`,
    })
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
      {deleting && (
        <ConfirmDialog
          title={`Delete ${name}`}
          failed={`${name} was not deleted`}
          done={`Deleted ${name}`}
          send={() => removeSkill({ skillId: id })}
          onDone={() => router.push('/skills')}
          onClose={() => setDeleting(false)}
        >
          All its versions go. Runs that used it keep what they were sent.
        </ConfirmDialog>
      )}
    </>
  )
}
