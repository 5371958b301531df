'use server'
import { testSearchEndpoint } from '@toolgate/server/probes/test-search-endpoint'
import { action } from '@/lib/next/action'

export const sendTestQuery = action(testSearchEndpoint)
