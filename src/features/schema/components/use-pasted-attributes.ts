/** Rows of `name TYPE` that are pasted while no field has the focus become attributes. */
import { useEffect } from 'react'
import type { AttributeModel } from '#lib/graph-schema/schema-model.ts'
import { parsePastedAttributes } from '../model/paste-attributes.ts'

const fields = 'input, textarea, [contenteditable="true"], [role="dialog"]'

/** @param add made anew with each render */
export function usePastedAttributes(
  tuples: readonly string[],
  add: (attributes: readonly AttributeModel[]) => void,
): void {
  useEffect(() => {
    const onPaste = ({ target, clipboardData }: ClipboardEvent) => {
      if (target instanceof Element && target.closest(fields) !== null) return
      const rows = parsePastedAttributes(clipboardData?.getData('text') ?? '', tuples)
      const attributes = rows.flatMap(({ result }) => (result.ok ? [result.attribute] : []))
      // Half of a text would be a guess at what is meant.
      if (rows.length > 0 && attributes.length === rows.length) add(attributes)
    }
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  })
}
