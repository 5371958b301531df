'use client'
import { useRouter } from 'next/navigation'
import { useOptimistic, useTransition } from 'react'
import { Select } from '../ui/select'

/** The order of a list where there are no column heads to press. `choices` name the addresses of the same list. */
export function SortPicker({
  order,
  choices,
}: {
  order: string
  choices: readonly { order: string; label: string; href: string }[]
}) {
  const router = useRouter()
  const [, startTransition] = useTransition()
  const [shown, show] = useOptimistic(order)
  const pick = (value: string) => {
    const chosen = choices.find((choice) => choice.order === value)
    if (!chosen) return
    startTransition(() => {
      show(value)
      router.replace(chosen.href, { scroll: false })
    })
  }
  return (
    <Select
      aria-label="Order"
      options={choices.map(({ order: value, label }) => ({ value, label }))}
      value={shown}
      onValueChange={pick}
    />
  )
}
