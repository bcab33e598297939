Feature: Errors

  Scenario Outline: a name that is not bound
    Given any graph
    When executing query:
      """
      <query>
      """
    Then a SyntaxError should be raised at compile time: UndefinedVariable

    Examples:
      | query                                    |
      | RETURN x                                 |
      | MATCH (n) WITH n AS m RETURN n           |
      | UNWIND [1] AS x WITH x AS y RETURN x + y |

  Scenario Outline: a clause that is not available
    Given any graph
    When executing query:
      """
      <query>
      """
    Then a SyntaxError should be raised at compile time: UnexpectedSyntax

    Examples:
      | query                                |
      | MATCH p = (a)-->(b) RETURN p         |
      | RETURN [x IN [1, 2] WHERE x > 1] AS l |
