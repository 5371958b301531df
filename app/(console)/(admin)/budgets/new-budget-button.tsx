'use client'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { NewBudget } from './new-budget'
import type { ScopeNames } from './scope-field'

export function NewBudgetButton(names: ScopeNames) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        <Plus className="size-4" aria-hidden />
        Add budget
      </Button>
      {open && <NewBudget names={names} onClose={() => setOpen(false)} />}
    </>
  )
}
