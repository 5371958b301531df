'use client'
import { useState } from 'react'
import { Select } from '@/components/ui/select'
import { SearchChoice, type SearchChoiceProps } from './search-choice'

const mostAtAGlance = 12

/** Picks one of several: a plain list when there are few options, a search when there are many. */
export function Choice({ searchLabel, ...props }: SearchChoiceProps) {
  // Decided once, because a change of the control would lose the focus.
  const [many] = useState(props.options.length > mostAtAGlance)
  return many ? <SearchChoice searchLabel={searchLabel} {...props} /> : <Select {...props} />
}
