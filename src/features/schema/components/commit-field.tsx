/**
 * A text field whose value counts when it is left or Enter is pressed. What is wrong with it is
 * said while typing; a wrong value stays in the field and out of the draft.
 */
import { Autocomplete, type ComboboxParsedItem, TextInput } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

export interface SuggestionGroup {
  readonly group: string
  readonly items: readonly string[]
}

interface CommitFieldProps {
  readonly label: string
  readonly value: string
  /** What is wrong with a text, or null. */
  readonly problemOf: (text: string) => string | null
  /** Null when taken; otherwise why it was refused. */
  readonly onCommit: (text: string) => string | null
  readonly description?: string
  readonly placeholder?: string
  readonly disabled?: boolean
  /** Offered while typing. */
  readonly suggestions?: readonly (string | SuggestionGroup)[]
  /** Found by the page when it wants the focus here. */
  readonly focusName?: string
  /** In rows of a table the label is for screen readers only. */
  readonly isCell?: boolean
}

export function CommitField(props: CommitFieldProps) {
  const { value, problemOf, onCommit, suggestions, isCell = false } = props
  const [text, setText] = useState(value)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [offers, setOffers] = useState(false)
  const isChosen = useRef(false)
  useEffect(() => {
    setText(value)
    setRefusal(null)
  }, [value])

  const problem = text === value ? null : (problemOf(text) ?? refusal)
  const commit = (next: string) => {
    if (next !== value && problemOf(next) === null) setRefusal(onCommit(next))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      // The same key takes the suggestion that the arrows are on: then that alone counts.
      isChosen.current = false
      queueMicrotask(() => {
        if (!isChosen.current) commit(text)
      })
      // What was taken needs no list over the fields around it.
      if (problemOf(text) === null) setOffers(false)
    }
    if (event.key === 'Escape' && text !== value) {
      event.stopPropagation()
      setText(value)
    }
  }
  const shared = {
    value: text,
    error: problem,
    disabled: props.disabled ?? false,
    onBlur: () => commit(text),
    onKeyDown,
    autoComplete: 'off',
    spellCheck: false,
    'data-focus': props.focusName,
    ...(isCell ? { 'aria-label': props.label } : { label: props.label }),
    ...(props.description === undefined ? {} : { description: props.description }),
    ...(props.placeholder === undefined ? {} : { placeholder: props.placeholder }),
  }
  if (suggestions === undefined) {
    return (
      <TextInput
        {...shared}
        onChange={(event) => {
          setRefusal(null)
          setText(event.currentTarget.value)
        }}
      />
    )
  }
  return (
    <Autocomplete
      {...shared}
      size="xs"
      dropdownOpened={offers}
      onDropdownOpen={() => setOffers(true)}
      onDropdownClose={() => setOffers(false)}
      data={suggestions.map((one) =>
        typeof one === 'string' ? one : { ...one, items: [...one.items] },
      )}
      // All types stay in sight until something else is typed.
      filter={({ options, search }) =>
        search === value
          ? options
          : options.flatMap((option): ComboboxParsedItem[] => {
              const fits = ({ label }: { readonly label: string }) =>
                label.toLowerCase().includes(search.toLowerCase())
              if ('label' in option) return fits(option) ? [option] : []
              const items = option.items.filter(fits)
              return items.length === 0 ? [] : [{ ...option, items }]
            })
      }
      onChange={(next) => {
        setRefusal(null)
        setText(next)
      }}
      onOptionSubmit={(option) => {
        isChosen.current = true
        commit(option)
      }}
    />
  )
}
