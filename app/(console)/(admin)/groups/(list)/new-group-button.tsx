'use client'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { addGroup } from '../actions'
import { GroupForm } from '../group-form'

/** Makes a group and goes to its page, where members and configurations are added. */
export function NewGroupButton() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus className="size-4" aria-hidden />
        Add group
      </Button>
      {open && (
        <GroupForm
          title="Add group"
          button="Add group"
          initial={{ name: '', description: '' }}
          send={addGroup}
          done="Added the group"
          next={({ id }) => `/groups/${id}`}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
