'use client'

import { createContext, useContext } from 'react'
import type { Role } from '@/lib/protocol/tool'

const ReaderRole = createContext<Role>('member')

/** The role of the reader, for links that only admins can open. It does not protect anything. */
export const ReaderRoleProvider = ReaderRole.Provider

export function useReaderRole(): Role {
  return useContext(ReaderRole)
}
