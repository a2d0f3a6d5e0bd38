/* What the screen's budgets are measured against: a program that does as little as a program with ncurses can do. It
 * draws one screen of text, echoes what is typed, and leaves with F10. Compiled twice: alone, and linked with the
 * libraries that vindecode is linked with (linked_curses), because loading them is a part of the time until the first
 * frame. */
#include <curses.h>
#include <locale.h>

int main(void)
{
    setlocale(LC_CTYPE, "");
    initscr();
    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    attron(A_REVERSE);
    mvprintw(0, 0, "%-*s", COLS, " bare curses  as little as there can be");
    attroff(A_REVERSE);
    mvaddstr(1, 0, "VIN                    0/17");
    for (int row = 2; row < LINES - 1; row++) {
        mvaddstr(row, 0, "text text text text text text text");
    }
    mvaddstr(LINES - 1, 0, "F1 help  F10 leave");
    move(1, 4);
    refresh();
    for (int key = getch(), count = 0; key != KEY_F(10); key = getch()) {
        if (key >= ' ' && key < 0x7f) {
            count++;
            mvaddch(1, 3 + count, (chtype)key);
            mvprintw(1, 23, "%d/17", count);
            move(1, 4 + count);
            refresh();
        }
    }
    endwin();
    return 0;
}
