'use client'
import { useState } from 'react'
import { Select } from '@/components/ui/select'
import { SearchChoice, type SearchChoiceProps } from './search-choice'

const mostAtAGlance = 12

/** One of however many there are: a plain list while they fit at a glance, found by typing where they do not. */
export function Choice({ searchLabel, ...props }: SearchChoiceProps) {
  // Does not change while it is shown: the focus is in it.
  const [many] = useState(props.options.length > mostAtAGlance)
  return many ? <SearchChoice searchLabel={searchLabel} {...props} /> : <Select {...props} />
}
