'use client'

import { createContext, useContext } from 'react'
import type { Role } from '@/lib/protocol/tool'

const ReaderRole = createContext<Role>('member')

/** Who reads the page: links to what only admins may open are for admins. Never a lock. */
export const ReaderRoleProvider = ReaderRole.Provider

export function useReaderRole(): Role {
  return useContext(ReaderRole)
}
